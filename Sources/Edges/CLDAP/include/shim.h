#include <sys/time.h>
#include <ldap.h>
#include <openldap.h>

/// Returns whether libldap is installed. If not, nothing else here may be called.
int ldap_is_installed(void);

// Swift cannot pass these options' values, which are void pointers: one function for each kind.
static inline int ldap_set_number(LDAP *handle, int option, int value) {
    return ldap_set_option(handle, option, &value);
}

static inline int ldap_set_switch(LDAP *handle, int option, int is_on) {
    return ldap_set_option(handle, option, is_on ? LDAP_OPT_ON : LDAP_OPT_OFF);
}

static inline int ldap_set_text(LDAP *handle, int option, const char *value) {
    return ldap_set_option(handle, option, value);
}

static inline int ldap_set_time(LDAP *handle, int option, struct timeval value) {
    return ldap_set_option(handle, option, &value);
}

// Exported, but in no header: writing a filter shows whether it is valid (RFC 4515).
int ldap_pvt_put_filter(BerElement *element, const char *filter);

/// Sets the largest message that is read, in bytes.
static inline int ldap_set_largest(LDAP *handle, ber_len_t bytes) {
    Sockbuf *buffer = NULL;
    if (ldap_get_option(handle, LDAP_OPT_SOCKBUF, &buffer) != LDAP_OPT_SUCCESS || !buffer) return -1;
    return ber_sockbuf_ctrl(buffer, LBER_SB_OPT_SET_MAX_INCOMING, &bytes) == 1 ? 0 : -1;
}
