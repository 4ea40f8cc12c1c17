/* small_stack.h: a call on a thread whose stack has little more than what ufc.h promises is enough.
 */
#include <pthread.h>

static void on_small_stack(size_t size, void *(*call)(void *)) {
    size += 8192;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    size = 1024 * 1024;
#endif
    pthread_attr_t attributes;
    pthread_t thread;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, size) == 0);
    REQUIRE(pthread_create(&thread, &attributes, call, NULL) == 0);
    REQUIRE(pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
}
