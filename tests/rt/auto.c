/* auto.c: calls on host arrays go to the host or the GPU, as the machine's rates say, which are
 * measured once and kept: those of a written file decide, a damaged one is as if it were not there.
 * On the fake driver. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "empty.h"
#include "kernels.h"
#include "scans_across.h"
#include "ufc.h"

enum { N = 1 << 16, ROOM = 4096 };

static ufc_error err;
static float x[N], y[N];
static double d[N], e[N];
static int64_t shape[] = {N}, few[] = {16};
static char folder[] = "/tmp/ufc-auto-XXXXXX", path[400], text[ROOM];

static ufc_context *open_auto(void) {
    ufc_context *ctx;
    REQUIRE(ufc_context_new(&ctx, "auto", 0, &err) == UFC_OK);
    return ctx;
}

static DLTensor line(void *data, ufc_type type, int64_t *size) {
    return ufc_host_array(data, ufc_dltype(type), 1, size);
}

/* ---- calls, and where they go */

static ufc_status halve(ufc_context *ctx, int64_t *size) {
    DLTensor in = line(x, UFC_FLOAT32, size), out = line(y, UFC_FLOAT32, size);
    for (int i = 0; i < size[0]; i++)
        x[i] = (float)i, y[i] = -1;
    ufc_status status = kernels_halve(ctx, NULL, ufc_array(&in), ufc_into(&out), &err);
    for (int i = 0; i < size[0]; i++)
        if (y[i] != (float)i / 2)
            return UFC_ESIM;
    return status;
}

static ufc_status total(ufc_context *ctx, int64_t *size) {
    DLTensor in = line(d, UFC_FLOAT64, size), out = ufc_host_array(e, in.dtype, 0, NULL);
    for (int i = 0; i < size[0]; i++)
        d[i] = i;
    ufc_status status =
        ufc_reduce(ctx, NULL, &kernels_total_ufunc, ufc_array(&in), ufc_into(&out), NULL, &err);
    return status == UFC_OK && e[0] != (double)size[0] * (double)(size[0] - 1) / 2 ? UFC_ESIM
                                                                                   : status;
}

/* A gufunc: of each row its running total. */
static ufc_status running(ufc_context *ctx, int64_t *size) {
    int64_t rows[] = {size[0] / 16, 16};
    DLTensor in = ufc_host_array(d, ufc_dltype(UFC_FLOAT64), 2, rows), out = in;
    out.data = e;
    for (int i = 0; i < size[0]; i++)
        d[i] = 1;
    ufc_status status = empty_running(ctx, NULL, ufc_array(&in), ufc_into(&out), &err);
    return status == UFC_OK && e[size[0] - 1] != 16 ? UFC_ESIM : status;
}

typedef ufc_status call_fn(ufc_context *ctx, int64_t *size);
static call_fn *const calls[] = {halve, total, running};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* Does the call go to the GPU? */
static bool goes(call_fn *call, ufc_context *ctx, int64_t *size) {
    unsigned before = fakecuda_launches();
    CHECK(call(ctx, size) == UFC_OK || !printf("%s\n", err.message));
    return fakecuda_launches() > before;
}

static bool explained(ufc_context *ctx, int64_t *size, const char *as) {
    DLTensor in = line(x, UFC_FLOAT32, size), out = line(y, UFC_FLOAT32, size);
    ufc_arg arg = ufc_array(&in);
    ufc_plan_description p;
    ufc_status status = ufc_explain(ctx, NULL, &kernels_halve_ufunc, &arg,
                                    &(ufc_out){.array = &out}, NULL, &p, &err);
    bool told = status == UFC_OK && strncmp(p.device, as, strlen(as)) == 0;
    if (!told)
        printf("explained as '%s', not '%s': %s\n", p.device, as, err.message);
    return told;
}

static ufc_status explain_large(ufc_context *ctx, const ufc_ufunc *ufunc, DLDeviceType where,
                                ufc_plan_description *p) {
    int64_t many = INT64_C(1) << 28; /* nothing of them is read */
    DLTensor in = line(x, UFC_FLOAT32, &many),
             out = line((void *)((uintptr_t)1 << 40), UFC_FLOAT32, &many);
    in.device.device_type = out.device.device_type = where;
    ufc_arg arg = ufc_array(&in);
    return ufc_explain(ctx, NULL, ufunc, &arg, &(ufc_out){.array = &out}, NULL, p, &err);
}

/* ---- the file */

static bool find_file(void) {
    DIR *dir = opendir(folder);
    int files = 0;
    for (const struct dirent *f; dir && (f = readdir(dir));)
        if (f->d_name[0] != '.' || f->d_name[1] == '.') {
            files += strcmp(f->d_name, "..") != 0;
            if (strcmp(f->d_name, "..") != 0)
                snprintf(path, sizeof path, "%s/%.300s", folder, f->d_name);
        } else if (f->d_name[1]) {
            files += 100; /* a draft */
        }
    if (dir)
        closedir(dir);
    return files == 1 && strcmp(path + strlen(path) - 6, ".rates") == 0;
}

static size_t read_file(void) {
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, ROOM - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
    return n;
}

static void write_file(const char *as, size_t n) {
    (void)remove(path);
    FILE *f = fopen(path, "w");
    REQUIRE(f && fwrite(as, 1, n, f) == n && fclose(f) == 0);
}

/* Writes the file that was measured with other numbers: host and GPU in ns, or by so many a second,
 * all alike. */
static void write_rates(unsigned long long host, unsigned long long gpu) {
    static const char *const names[] = {
        "host_start", "host_cached", "host_memory", "host_float32",  "host_float64",   "host_steps",
        "gpu_start",  "to_gpu",      "from_gpu",    "pinned_to_gpu", "pinned_from_gpu"};
    char made[ROOM];
    size_t n = strcspn(text, "\n") + 1;
    memcpy(made, text, n);
    for (int i = 0; i < 11; i++) {
        unsigned long long rate = i < 6 ? host : gpu;
        n += (size_t)snprintf(made + n, ROOM - n, "%s %llu\n", names[i],
                              i % 6 == 0 ? 1000000000 / rate + 1 : rate);
    }
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ (unsigned char)made[i]) * UINT64_C(0x100000001b3);
    n += (size_t)snprintf(made + n, ROOM - n, "sum %016llx\n", (unsigned long long)sum);
    write_file(made, n);
}

/* ---- the tests */

static void measured_once(void) {
    ufc_rates first, second;
    ufc_context *ctx = open_auto();
    CHECK(ufc_context_rates(ctx, &first, &err) == UFC_OK && find_file() && read_file() > 100);
    struct stat before, after;
    CHECK(stat(path, &before) == 0);
    CHECK(first.host_memory > 0 && first.pinned_to_gpu > 0 && first.gpu_start > 0 &&
          first.gpu_start < 1);
    ufc_context_free(ctx);
    REQUIRE(ufc_context_new(&ctx, "cuda", 0, &err) == UFC_OK);
    CHECK(ufc_context_rates(ctx, &second, &err) == UFC_OK &&
          memcmp(&first, &second, sizeof first) == 0);
    ufc_context_free(ctx);
    CHECK(stat(path, &after) == 0 && after.st_ino == before.st_ino);
    CHECK(ufc_context_rates(NULL, NULL, &err) == UFC_EINVAL);
    REQUIRE(ufc_context_new(&ctx, "cpu", 0, &err) == UFC_OK);
    CHECK(ufc_context_rates(ctx, &second, &err) == UFC_EDEVICE);
    ufc_context_free(ctx);
}

static void by_rates(bool fast_gpu) {
    const unsigned long long slow = 1000000, fast = 1000000000000000;
    write_rates(fast_gpu ? slow : fast, fast_gpu ? fast : slow);
    ufc_context *ctx = open_auto(), *gpu;
    for (int i = 0; i < CALLS; i++) {
        CHECK(goes(calls[i], ctx, shape) == fast_gpu || !printf("of call %d\n", i));
        CHECK(goes(calls[i], NULL, shape) == fast_gpu || !printf("of call %d\n", i));
        CHECK(!goes(calls[i], ctx, few));
    }
    CHECK(explained(ctx, shape,
                    fast_gpu ? "cuda:0, 0.0 us, 0.0 us of them to copy; cpu would take "
                             : "cpu, 0.0 us; cuda:0 would take "));
    CHECK(explained(NULL, shape, fast_gpu ? "cuda:0, " : "cpu, "));
    CHECK(explained(ctx, few, "cpu, since little"));
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    CHECK(goes(halve, gpu, shape) && explained(gpu, shape, ""));
    ufc_context_free(gpu);
    ufc_context_free(ctx);
}

/* Arrays of a GPU, and calls on a stream of its, stay there, however fast the host is. */
static void on_the_gpu(void) {
    write_rates(1000000000000000, 1000);
    ufc_context *ctx = open_auto();
    DLManagedTensorVersioned *array;
    void *stream;
    DLTensor in = line(x, UFC_FLOAT32, shape), out = line(y, UFC_FLOAT32, shape);
    REQUIRE(ufc_to_device(ctx, NULL, &in, &array, &err) == UFC_OK);
    CHECK(array->dl_tensor.device.device_type == kDLCUDA);
    unsigned before = fakecuda_launches();
    CHECK(kernels_halve(ctx, NULL, ufc_array(&array->dl_tensor), ufc_into(&out), &err) == UFC_OK);
    CHECK(kernels_halve(ctx, NULL, ufc_array(&in), ufc_into(&array->dl_tensor), &err) == UFC_OK);
    CHECK(fakecuda_launches() == before + 2);
    REQUIRE(ufc_stream_new(&stream, ctx, &err) == UFC_OK);
    CHECK(kernels_halve(ctx, stream, ufc_array(&in), ufc_into(&out), &err) == UFC_OK);
    CHECK(fakecuda_launches() == before + 3);
    ufc_stream_free(ctx, stream);
    ufc_free(array);
    ufc_context_free(ctx);
}

/* Both ways at once, which pinned memory lets copies go, take half of the time; and a function that
 * only one of the two can compute goes there. */
static void large(void) {
    ufc_plan_description p;
    double here, copying[2];
    write_rates(1000, 1000000000);
    ufc_context *ctx = open_auto();
    for (int i = 0; i < 2; i++) {
        REQUIRE(explain_large(ctx, &kernels_halve_ufunc, i ? kDLCUDAHost : kDLCPU, &p) == UFC_OK);
        CHECK(sscanf(p.device, "cuda:0, %lf us, %lf us of them", &here, &copying[i]) == 2);
    }
    CHECK(copying[1] > .45 * copying[0] && copying[1] < .6 * copying[0]);
    struct ufc_ufunc one = kernels_halve_ufunc;
    struct ufc_overload o = one.overloads[0];
    one.overloads = &o;
    one.noverloads = 1;
    memset(o.code, 0, sizeof o.code);
    CHECK(explain_large(ctx, &one, kDLCPU, &p) == UFC_OK);
    CHECK(strcmp(p.device, "cpu, since the function has no code for the GPU") == 0);
    o = kernels_halve_ufunc.overloads[0];
    memset(o.host, 0, sizeof o.host);
    CHECK(explain_large(ctx, &one, kDLCPU, &p) == UFC_OK);
    CHECK(strcmp(p.device, "cuda:0, since the function has no code for the host") == 0);
    ufc_context_free(ctx);
}

static void plans(void) {
    ufc_context *ctx = open_auto();
    DLTensor in = line(x, UFC_FLOAT32, shape), out = line(y, UFC_FLOAT32, shape);
    ufc_plan *plan;
    ufc_arg arg = ufc_array(&in), number = ufc_float(8);
    for (int i = 0; i < 2; i++) {
        REQUIRE(ufc_plan_new(&plan, i ? NULL : ctx, NULL, &kernels_halve_ufunc, &arg,
                             &(ufc_out){.array = &out}, NULL, &err) == UFC_OK);
        x[5] = 3;
        CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_OK && y[5] == 1.5f);
        ufc_plan_free(plan);
        DLManagedTensorVersioned *made;
        REQUIRE(ufc_plan_new(&plan, i ? NULL : ctx, NULL, &kernels_halve_ufunc, &number,
                             &(ufc_out){.result = &made}, NULL, &err) == UFC_OK);
        CHECK(made->dl_tensor.device.device_type == kDLCUDA);
        ufc_plan_free(plan);
        ufc_free(made);
    }
    ufc_context_free(ctx);
}

/* A plan of a gufunc or a method has no other place than its arrays have: the host's, where one of
 * more than one element is there. */
static void plans_of_gufuncs(void) {
    static int32_t in[256], out[256], factor = 2;
    ufc_context *ctx = open_auto();
    int64_t n[] = {256};
    ufc_plan *plan;
    DLManagedTensorVersioned *array;
    DLTensor a = line(in, UFC_INT32, n), b = line(out, UFC_INT32, n),
             one = ufc_host_array(&factor, a.dtype, 0, NULL);
    for (int i = 0; i < 256; i++)
        in[i] = i;
    ufc_arg args[] = {ufc_array(&a), ufc_array(&one)}, numbers[] = {ufc_int(1), ufc_int(1)};
    ufc_out to = ufc_into(&b);
    REQUIRE(ufc_plan_new(&plan, ctx, NULL, &scans_across_most_ufunc, args, &to, NULL, &err) ==
            UFC_OK);
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_OK && out[255] == 510);
    ufc_plan_free(plan);
    REQUIRE(ufc_plan_reduce(&plan, ctx, NULL, &kernels_total_ufunc, ufc_array(&a), ufc_new(&array),
                            NULL, &err) == UFC_OK);
    CHECK(array->dl_tensor.device.device_type == kDLCPU);
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_OK);
    CHECK(*(int64_t *)array->dl_tensor.data == 255 * 128);
    ufc_plan_free(plan);
    ufc_free(array);
    REQUIRE(ufc_to_device(ctx, NULL, &a, &array, &err) == UFC_OK);
    args[0] = ufc_array(&array->dl_tensor);
    to = ufc_into(&array->dl_tensor);
    REQUIRE(ufc_plan_new(&plan, ctx, NULL, &scans_across_sums_ufunc, args, &to, NULL, &err) ==
            UFC_OK);
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_EINVAL && strstr(err.message, "overlaps"));
    ufc_plan_free(plan);
    DLManagedTensorVersioned *made; /* a single element of the host's is read when it is planned */
    to = ufc_new(&made);
    REQUIRE(ufc_plan_new(&plan, ctx, NULL, &scans_across_most_ufunc, args, &to, NULL, &err) ==
            UFC_OK);
    factor = 5;
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_OK);
    CHECK(ufc_copy(ctx, NULL, &made->dl_tensor, &b, &err) == UFC_OK && out[255] == 510);
    ufc_plan_free(plan);
    ufc_free(made);
    ufc_free(array);
    CHECK(ufc_plan_new(&plan, ctx, NULL, &scans_across_most_ufunc, numbers, &to, NULL, &err) !=
          UFC_OK);
    CHECK(strstr(err.message, "is a number"));
    ufc_context_free(ctx);
}

/* A file with numbers that are not the machine's, but for what is wrong with it: they are measured
 * anew, and the file is whole again, unless nothing can be there. */
static void measures_anew(const char *what, bool written) {
    ufc_rates rates;
    ufc_context *ctx = open_auto();
    char before[ROOM];
    memcpy(before, text, ROOM);
    CHECK(ufc_context_rates(ctx, &rates, &err) == UFC_OK && rates.host_cached != 1000);
    ufc_context_free(ctx);
    size_t n = read_file();
    bool whole = n > 100 && strcmp(text + n - 1, "\n") == 0 && !strstr(text, "host_cached 1000\n");
    CHECK(whole == written || !printf("%s\n", what));
    memcpy(text, before, ROOM);
}

static void damaged(void) {
    char good[ROOM], bad[ROOM], what[80];
    write_rates(1000, 1000);
    size_t n = read_file();
    memcpy(good, text, n + 1);
    for (size_t i = 0; i < n; i += 31) {
        memcpy(bad, good, n);
        bad[i] ^= 1;
        write_file(bad, n);
        snprintf(what, sizeof what, "byte %zu", i);
        measures_anew(what, true);
        write_file(good, i);
        snprintf(what, sizeof what, "%zu bytes", i);
        measures_anew(what, true);
    }
    memcpy(bad, good, n);
    bad[n] = '\n';
    write_file(bad, n + 1);
    measures_anew("a byte more", true);
    bad[n - 1] = 0;
    write_file(bad, n);
    measures_anew("a zero byte", true);
    memset(bad, '7', ROOM);
    write_file(bad, ROOM);
    measures_anew("much", true);
    write_file("", 0);
    measures_anew("nothing", true);
    struct timespec old[] = {{time(NULL) - 40 * 86400, 0}, {time(NULL) - 40 * 86400, 0}};
    write_file(good, n);
    CHECK(utimensat(AT_FDCWD, path, old, 0) == 0);
    measures_anew("an old one", true);
    (void)remove(path);
    CHECK(symlink("/dev/zero", path) == 0);
    measures_anew("a link", true);
    (void)remove(path);
    CHECK(mkfifo(path, 0600) == 0);
    measures_anew("a pipe", true);
    (void)remove(path);
    CHECK(mkdir(path, 0700) == 0);
    ufc_context *ctx = open_auto();
    CHECK(halve(ctx, shape) == UFC_OK && rmdir(path) == 0);
    ufc_context_free(ctx);
}

static void nowhere(void) {
    setenv("UFC_CACHE", "0", 1);
    ufc_context *ctx = open_auto();
    CHECK(halve(ctx, shape) == UFC_OK && halve(NULL, shape) == UFC_OK);
    ufc_context_free(ctx);
    setenv("UFC_CACHE", "/dev/null/nothing", 1);
    ctx = open_auto();
    CHECK(halve(ctx, shape) == UFC_OK);
    ufc_context_free(ctx);
    setenv("UFC_CACHE", folder, 1);
}

/* A child, which cannot use the GPU, computes what is on the host. */
static ufc_context *parents;

static void in_the_child(void) {
    CHECK(!goes(halve, parents, shape) && !goes(halve, NULL, shape));
}

static void in_a_child(void (*test)(void));

static void after_a_fork(void) {
    write_rates(1000000, 1000000000000000);
    parents = open_auto();
    CHECK(goes(halve, parents, shape));
    in_a_child(in_the_child);
    CHECK(goes(halve, parents, shape));
    ufc_context_free(parents);
}

/* Without rates calls stay on the host. */
static void not_measured(void) {
    (void)remove(path);
    char failing[80];
    ufc_context *ctx = open_auto();
    ufc_rates rates;
    snprintf(failing, sizeof failing, "cuMemsetD8Async:%u", fakecuda_calls("cuMemsetD8Async") + 1);
    setenv("FAKECUDA_FAIL", failing, 1);
    CHECK(!goes(halve, ctx, shape) && explained(ctx, shape, "cpu, since the machine's rates"));
    CHECK(ufc_context_rates(ctx, &rates, &err) == UFC_EDEVICE);
    unsetenv("FAKECUDA_FAIL");
    ufc_context_free(ctx);
    CHECK(access(path, F_OK) != 0);
}

/* Little work opens no GPU. */
static void little(void) {
    CHECK(!goes(halve, NULL, few) && fakecuda_calls("cuDevicePrimaryCtxRetain") == 0);
    CHECK(halve(NULL, shape) == UFC_OK && fakecuda_calls("cuDevicePrimaryCtxRetain") == 1);
}

static void without_gpus(void) {
    setenv("FAKECUDA_DEVICES", "0", 1);
    (void)remove(path);
    ufc_context *ctx = open_auto();
    CHECK(halve(ctx, shape) == UFC_OK && halve(NULL, shape) == UFC_OK && explained(ctx, shape, ""));
    CHECK(explained(NULL, shape, ""));
    ufc_context_free(ctx);
    CHECK(access(path, F_OK) != 0);
}

static void in_a_child(void (*test)(void)) {
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        test_failures = 0;
        test();
        fflush(stdout);
        _exit(test_failures > 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void with_fast_gpu(void) {
    by_rates(true);
}

static void with_fast_host(void) {
    by_rates(false);
}

/* A limit of the GPU's memory that leaves too little to measure by, or to compute in. */
static void limited(void) {
    static const char *const limits[] = {"4M", "100K", "1"};
    for (int i = 0; i < 3; i++) {
        (void)remove(path);
        setenv("UFC_GPU_MEMORY_LIMIT", limits[i], 1);
        ufc_context *ctx = open_auto();
        for (int j = 0; j < CALLS; j++)
            CHECK(!goes(calls[j], ctx, shape));
        CHECK(i == 0 || explained(ctx, shape, "cpu, since the GPU's memory limit"));
        write_rates(1000000, 1000000000000000);
        ufc_context *other = open_auto();
        for (int j = 0; j < CALLS; j++)
            CHECK(goes(calls[j], other, shape) == (i == 0));
        ufc_context_free(other);
        ufc_context_free(ctx);
    }
    unsetenv("UFC_GPU_MEMORY_LIMIT");
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    setenv("UFC_CACHE", folder, 1);
    fakecuda_register(&kernels_halve_ufunc);
    fakecuda_register(&kernels_total_ufunc);
    fakecuda_register(&scans_across_most_ufunc);
    fakecuda_register(&scans_across_sums_ufunc);
    fakecuda_register(&empty_running_ufunc);
    in_a_child(measured_once);
    REQUIRE(find_file() && read_file() > 100);
    in_a_child(with_fast_gpu);
    in_a_child(with_fast_host);
    in_a_child(on_the_gpu);
    in_a_child(large);
    in_a_child(plans);
    in_a_child(plans_of_gufuncs);
    in_a_child(after_a_fork);
    in_a_child(damaged);
    in_a_child(nowhere);
    in_a_child(not_measured);
    in_a_child(limited);
    in_a_child(little);
    in_a_child(without_gpus);
    (void)remove(path);
    CHECK(rmdir(folder) == 0);
    return test_failures > 0;
}
