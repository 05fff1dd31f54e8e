#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>
#include <mqtt_protocol.h>

// Swift cannot call functions with a variable number of arguments.
static inline void mosquitto_log_text(int level, const char *text) {
    mosquitto_log_printf(level, "%s", text);
}

#include <stdlib.h>

/// Copies the properties of a PUBLISH that the broker forwards, into the broker's memory. Since Mosquitto
/// 2.0.21 `mosquitto_property_copy_all` is no longer exported to plugins, nor are the functions that read
/// properties: those are in libmosquitto, which every Mosquitto includes.
static inline int mosquitto_copy_properties(
    mosquitto_property **copy, const mosquitto_property *properties) {
    const mosquitto_property *property = properties;
    for (; property; property = mosquitto_property_next(property)) {
        int name = mosquitto_property_identifier(property);
        int code = MOSQ_ERR_SUCCESS;
        uint8_t byte = 0;
        uint32_t number = 0;
        uint16_t length = 0;
        char *text = NULL, *value = NULL;
        void *bytes = NULL;
        switch (name) {
        case MQTT_PROP_PAYLOAD_FORMAT_INDICATOR:
            if (mosquitto_property_read_byte(property, name, &byte, false))
                code = mosquitto_property_add_byte(copy, name, byte);
            break;
        case MQTT_PROP_MESSAGE_EXPIRY_INTERVAL:
            if (mosquitto_property_read_int32(property, name, &number, false))
                code = mosquitto_property_add_int32(copy, name, number);
            break;
        case MQTT_PROP_CONTENT_TYPE:
        case MQTT_PROP_RESPONSE_TOPIC:
            if (mosquitto_property_read_string(property, name, &text, false))
                code = mosquitto_property_add_string(copy, name, text);
            break;
        case MQTT_PROP_CORRELATION_DATA:
            if (mosquitto_property_read_binary(property, name, &bytes, &length, false))
                code = mosquitto_property_add_binary(copy, name, bytes, length);
            break;
        case MQTT_PROP_USER_PROPERTY:
            if (mosquitto_property_read_string_pair(property, name, &text, &value, false))
                code = mosquitto_property_add_string_pair(copy, name, text, value);
            break;
        }
        free(text);
        free(value);
        free(bytes);
        if (code != MOSQ_ERR_SUCCESS) {
            mosquitto_property_free_all(copy);
            return code;
        }
    }
    return MOSQ_ERR_SUCCESS;
}

// The allocator knows the size of the structure, which only the broker declares.
#include <malloc.h>

static inline size_t mosquitto_client_size(const struct mosquitto *client) {
    return malloc_usable_size((void *)client);
}

// Swift cannot name a signal's handler.
#include <signal.h>
#include <sys/time.h>

static void woken_by_alarm(int signal) { (void)signal; }

/// Makes alarms interrupt the broker's wait for its sockets, and nothing else.
static inline void take_alarms(void) {
    struct sigaction action = {0};
    action.sa_handler = woken_by_alarm;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
}

static inline void set_alarm(long microseconds) {
    struct itimerval timer = {{0, 0}, {microseconds / 1000000, microseconds % 1000000}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

/// Makes the broker save its data in the next round of its loop: SIGUSR1 is the documented signal for that.
/// Without its handler the signal would end the broker.
static inline void order_save(void) {
    struct sigaction action;
    if (sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler != SIG_DFL) raise(SIGUSR1);
}

// Swift does not import epoll.
#include <stdint.h>
#include <sys/epoll.h>

static const uint32_t broker_reads = EPOLLIN;
static const uint32_t broker_reads_and_writes = EPOLLIN | EPOLLOUT;
/// Reports once when there is room, not for as long as there is.
static const uint32_t broker_writes_once = EPOLLOUT | EPOLLET;

/// Changes what the broker's multiplexer waits for on a socket.
static inline int mosquitto_wait_for(
    int epoll, int descriptor, uintptr_t client, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.ptr = (void *)client}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

// Swift does not import socket filters.
#include <linux/filter.h>
#include <sys/socket.h>

/// Makes the kernel accept only acknowledgements from a TCP connection. Its data is as good as lost in
/// transit, and the other end resends it: see `socket(7)`, `SO_ATTACH_FILTER`.
static inline int mosquitto_take_no_data(int descriptor) {
    struct sock_filter program[] = {
        // The length of the header, to which a segment is truncated.
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 12),
        BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 4),
        BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 2),
        BPF_STMT(BPF_MISC | BPF_TAX, 0),
        // A FIN after data would appear to precede it.
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_MISC | BPF_TXA, 0),
        BPF_STMT(BPF_RET | BPF_A, 0),
    };
    struct sock_fprog filter = {sizeof program / sizeof *program, program};
    return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

static inline int mosquitto_take_data(int descriptor) {
    int unused = 0;
    return setsockopt(descriptor, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}
