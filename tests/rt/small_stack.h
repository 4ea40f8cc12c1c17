/* small_stack.h: a call on a thread whose stack has `size` bytes, what ufc.h promises is enough,
 * and 8 KiB of the thread's own; gives what the call gives. */
#include <pthread.h>

static void *on_small_stack(size_t size, void *(*call)(void *), void *arg) {
    size += 8192;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    size = 1024 * 1024;
#endif
    pthread_attr_t attributes;
    pthread_t thread;
    void *result;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, size) == 0);
    REQUIRE(pthread_create(&thread, &attributes, call, arg) == 0);
    REQUIRE(pthread_join(thread, &result) == 0);
    pthread_attr_destroy(&attributes);
    return result;
}
