"""A function of a source in DuckDB's SQL, on Arrow's columns: python examples/duckdb_udf.py"""

import duckdb
import pyarrow as pa

import ufc

m = ufc.compile("""
ufunc density(x, mean, sigma) : float64(float64, float64, float64)
    = exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * sqrt(2 * pi))
""")


def density(x, mean, sigma):
    columns = (column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
               for column in (x, mean, sigma))
    return pa.array(m.density(*(column.to_numpy(zero_copy_only=False) for column in columns)))


base = duckdb.connect()
base.create_function("density", density, ["DOUBLE"] * 3, "DOUBLE", type="arrow")
rows = base.sql("SELECT round(density(x - 1.0, 0.0, 1.0), 4) FROM range(3) AS t(x)").fetchall()
print(*(value for value, in rows))
