ufunc f(x.0:float32, y.1:float32) -> float32
  if (>:bool x.0:float32 y.1:float32)
    return (half:float32 x.0:float32)
  var s.2:float32 = y.1:float32
  for i.3:int in 0:int64..3:int64
    s.2:float32 = (+:float32 s.2:float32 (*:float32 x.0:float32 (cast:float32 i.3:int)))
  return s.2:float32
instance of half(x.0:float32) -> float32
  return (/:float32 x.0:float32 2:float32)
