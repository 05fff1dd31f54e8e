#include <sys/time.h>
#include <ldap.h>
#include <openldap.h>

/// Whether libldap is installed. Nothing else here may be called if it is not.
int ldap_is_installed(void);

// Swift does not see these options' values, which are pointers to anything: one function for each kind.
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

// Exported, and in no header: whether a filter can be read (RFC 4515) is known by writing it.
int ldap_pvt_put_filter(BerElement *element, const char *filter);

/// The largest message that is read, in bytes.
static inline int ldap_set_largest(LDAP *handle, ber_len_t bytes) {
    Sockbuf *buffer = NULL;
    if (ldap_get_option(handle, LDAP_OPT_SOCKBUF, &buffer) != LDAP_OPT_SUCCESS || !buffer) return -1;
    return ber_sockbuf_ctrl(buffer, LBER_SB_OPT_SET_MAX_INCOMING, &bytes) == 1 ? 0 : -1;
}
