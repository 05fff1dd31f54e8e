// libldap, loaded when first needed: few installations use a directory, and the library has a different name
// in each release of Debian. Each function used here forwards to the library's own.
#include "shim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

// Debian 13 and later, Debian 12. Their symbols have the same version.
static const char *const names[] = {"libldap.so.2", "libldap-2.5.so.0"};
static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++)
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
}

int ldap_is_installed(void) {
    pthread_once(&once, load);
    return library != NULL;
}

static void *function(const char *name) {
    void *found = ldap_is_installed() ? dlsym(library, name) : NULL;
    if (!found) abort();
    return found;
}

#define LEAD(type, name, parameters, arguments) \
    type name parameters { \
        return ((type(*) parameters)function(#name)) arguments; \
    }

LEAD(int, ldap_str2dn, (const char *a, LDAPDN *b, unsigned c), (a, b, c))
LEAD(void, ldap_dnfree, (LDAPDN a), (a))
LEAD(int, ldap_dn2str, (LDAPDN a, char **b, unsigned c), (a, b, c))
LEAD(void, ldap_memfree, (void *a), (a))
LEAD(char *, ldap_get_dn, (LDAP *a, LDAPMessage *b), (a, b))
LEAD(struct berval **, ldap_get_values_len, (LDAP *a, LDAPMessage *b, const char *c), (a, b, c))
LEAD(void, ldap_value_free_len, (struct berval **a), (a))
LEAD(int, ldap_init_fd, (ber_socket_t a, int b, const char *c, LDAP **d), (a, b, c, d))
LEAD(int, ldap_unbind_ext_s, (LDAP *a, LDAPControl **b, LDAPControl **c), (a, b, c))
LEAD(int, ldap_set_option, (LDAP *a, int b, const void *c), (a, b, c))
LEAD(int, ldap_get_option, (LDAP *a, int b, void *c), (a, b, c))
LEAD(int, ldap_start_tls, (LDAP *a, LDAPControl **b, LDAPControl **c, int *d), (a, b, c, d))
LEAD(int, ldap_msgfree, (LDAPMessage *a), (a))
LEAD(int, ldap_install_tls, (LDAP *a), (a))
LEAD(
    int, ldap_sasl_bind,
    (LDAP *a, const char *b, const char *c, struct berval *d, LDAPControl **e, LDAPControl **f, int *g),
    (a, b, c, d, e, f, g))
LEAD(
    int, ldap_search_ext,
    (LDAP *a, const char *b, int c, const char *d, char **e, int f, LDAPControl **g, LDAPControl **h, struct timeval *i, int j, int *k),
    (a, b, c, d, e, f, g, h, i, j, k))
LEAD(int, ldap_msgtype, (LDAPMessage *a), (a))
LEAD(int, ldap_abandon_ext, (LDAP *a, int b, LDAPControl **c, LDAPControl **d), (a, b, c, d))
LEAD(int, ldap_result, (LDAP *a, int b, int c, struct timeval *d, LDAPMessage **e), (a, b, c, d, e))
LEAD(
    int, ldap_parse_result,
    (LDAP *a, LDAPMessage *b, int *c, char **d, char **e, char ***f, LDAPControl ***g, int h),
    (a, b, c, d, e, f, g, h))
LEAD(int, ldap_pvt_put_filter, (BerElement *a, const char *b), (a, b))
LEAD(BerElement *, ber_alloc_t, (int a), (a))
LEAD(void, ber_free, (BerElement *a, int b), (a, b))
LEAD(int, ber_sockbuf_ctrl, (Sockbuf *a, int b, void *c), (a, b, c))
