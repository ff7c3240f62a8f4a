// Threads for the kernels in C. `run` calls a kernel once for each row of a table: the caller takes rows from the first on, its helpers from
// the last on. So with two threads, each finds in its cache what it wrote when it computed its half of the arrays before.
//
// A helper that finds no work looks for some for a while before it sleeps, since to wake it takes longer than many a kernel. Helpers
// know nothing of Python, so they need not wait for its lock. A kernel's rows do not depend on the number of threads.

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

#define MOST 256         // helpers
#define LOOKS 2000       // before a thread that waits lets others have its core: some 40 µs
#define PATIENCE 6000    // looks before a helper sleeps: some millisecond in all
#define CLOSED (1 << 30) // no helper may join the work any more

static pthread_mutex_t one_caller = PTHREAD_MUTEX_INITIALIZER, asleep = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static pthread_t helpers[MOST];
static int count;                         // helpers that there are
static atomic_uint round_;                // grows when there is work
static atomic_int sleeping, ended;        // how many helpers sleep, and whether they shall end
static atomic_int inside = CLOSED;        // helpers at work
static void (*kernel)(const int64_t *);   // the work: a kernel and its table
static const int64_t *table;
static int64_t rows, width;
static atomic_llong taken, from_end;      // how many rows somebody has taken, and how many of these a helper has

// Wait for a moment before the next look.
static inline void look_away(int looks) {
    if (looks > LOOKS) sched_yield();
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void take_rows(int helper) {
    for (int64_t first = 0; atomic_fetch_add(&taken, 1) < rows;)
        kernel(table + width * (helper ? rows - 1 - atomic_fetch_add(&from_end, 1) : first++));
}

// Join the work, unless the caller has finished it.
static void help(void) {
    int others = atomic_load(&inside);
    while (!(others & CLOSED))
        if (atomic_compare_exchange_weak(&inside, &others, others + 1)) {
            take_rows(1);
            atomic_fetch_sub(&inside, 1);
            return;
        }
}

static void *serve(void *first) {
    unsigned seen = (unsigned)(uintptr_t)first;
    while (!ended) {
        for (int i = 0; i < PATIENCE && round_ == seen && !ended; i++) look_away(i);
        if (round_ == seen) {
            pthread_mutex_lock(&asleep);
            for (sleeping++; round_ == seen && !ended;) pthread_cond_wait(&news, &asleep);
            sleeping--;
            pthread_mutex_unlock(&asleep);
        }
        seen = round_;
        help();
    }
    return 0;
}

static void wake(void) {
    if (sleeping) {
        pthread_mutex_lock(&asleep);
        pthread_cond_broadcast(&news);
        pthread_mutex_unlock(&asleep);
    }
}

static void end_helpers(void) {
    ended = 1;
    wake();
    while (count) pthread_join(helpers[--count], 0);
    ended = 0;
}

// Have so many helpers, or as many as the system gives. Signals are for the program's own threads.
static void have_helpers(int wanted) {
    if (wanted == count) return;
    if (wanted < count) end_helpers();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (count < wanted && !pthread_create(helpers + count, 0, serve, (void *)(uintptr_t)round_)) count++;
    pthread_sigmask(SIG_SETMASK, &before, 0);
}

// Call a kernel with each row of a table, on so many threads. While one caller does, others compute their tables alone.
void run(void (*function)(const int64_t *), const int64_t *arguments, int64_t columns, int64_t many, int threads) {
    if (threads < 2 || many < 2 || pthread_mutex_trylock(&one_caller)) {
        for (int64_t row = 0; row < many; row++) function(arguments + row * columns);
        return;
    }
    have_helpers((threads < MOST ? threads : MOST) - 1);
    kernel = function, table = arguments, width = columns, rows = many;
    taken = from_end = 0;
    inside = 0;
    round_++;
    wake();
    take_rows(0);
    atomic_fetch_or(&inside, CLOSED);
    for (int i = 0; inside != CLOSED; i++) look_away(i);
    pthread_mutex_unlock(&one_caller);
}

// In the child of a fork there are no helpers, whatever they were doing.
void forget_threads(void) {
    count = sleeping = ended = 0;
    inside = CLOSED;
    one_caller = asleep = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    news = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
}

// End all helpers: before a fork, and when the number of threads changes.
void end_threads(void) {
    pthread_mutex_lock(&one_caller);
    end_helpers();
    pthread_mutex_unlock(&one_caller);
}
