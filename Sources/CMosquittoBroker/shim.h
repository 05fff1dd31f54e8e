#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>

// Swift cannot call functions with a variable number of arguments.
static inline void mosquitto_log_text(int level, const char *text) {
    mosquitto_log_printf(level, "%s", text);
}

// Swift does not see epoll.
#include <stdint.h>
#include <sys/epoll.h>

static const uint32_t broker_reads = EPOLLIN;
static const uint32_t broker_reads_and_writes = EPOLLIN | EPOLLOUT;
/// Told once when there is room, and not for as long as there is.
static const uint32_t broker_writes_once = EPOLLOUT | EPOLLET;

/// Changes what the broker's multiplexer waits for on a socket.
static inline int mosquitto_wait_for(
    int epoll, int descriptor, uintptr_t client, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.ptr = (void *)client}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}
