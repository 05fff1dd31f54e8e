#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>

// Swift cannot call functions with a variable number of arguments.
static inline void mosquitto_log_text(int level, const char *text) {
    mosquitto_log_printf(level, "%s", text);
}
