// libpq, loaded when first needed: only installations with PostgreSQL need it. Each function used here forwards
// to the library's own.
#include "shim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    // Since version 14.
    if (library && !dlsym(library, "PQenterPipelineMode")) library = NULL;
}

int pq_is_installed(void) {
    pthread_once(&once, load);
    return library != NULL;
}

static void *function(const char *name) {
    void *found = pq_is_installed() ? dlsym(library, name) : NULL;
    if (!found) abort();
    return found;
}

// The address is looked up once; looking it up twice at the same time gives the same.
#define LEAD(type, name, parameters, arguments) \
    type name parameters { \
        static _Atomic(void *) known; \
        void *found = known; \
        if (!found) known = found = function(#name); \
        return ((type(*) parameters)found) arguments; \
    }

LEAD(PGconn *, PQconnectdbParams, (const char *const *a, const char *const *b, int c), (a, b, c))
LEAD(PQconninfoOption *, PQconninfoParse, (const char *a, char **b), (a, b))
LEAD(void, PQconninfoFree, (PQconninfoOption *a), (a))
LEAD(void, PQfreemem, (void *a), (a))
LEAD(void, PQfinish, (PGconn *a), (a))
LEAD(ConnStatusType, PQstatus, (const PGconn *a), (a))
LEAD(int, PQbackendPID, (const PGconn *a), (a))
LEAD(int, PQsocket, (const PGconn *a), (a))
LEAD(int, PQserverVersion, (const PGconn *a), (a))
LEAD(const char *, PQparameterStatus, (const PGconn *a, const char *b), (a, b))
LEAD(char *, PQerrorMessage, (const PGconn *a), (a))
LEAD(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *a, PQnoticeReceiver b, void *c), (a, b, c))
LEAD(int, PQsetnonblocking, (PGconn *a, int b), (a, b))
LEAD(int, PQenterPipelineMode, (PGconn *a), (a))
LEAD(int, PQpipelineSync, (PGconn *a), (a))
LEAD(int, PQflush, (PGconn *a), (a))
LEAD(int, PQconsumeInput, (PGconn *a), (a))
LEAD(int, PQisBusy, (PGconn *a), (a))
LEAD(PGnotify *, PQnotifies, (PGconn *a), (a))
LEAD(
    int, PQsendPrepare, (PGconn *a, const char *b, const char *c, int d, const Oid *e),
    (a, b, c, d, e))
LEAD(
    int, PQsendQueryParams,
    (PGconn *a, const char *b, int c, const Oid *d, const char *const *e, const int *f, const int *g, int h),
    (a, b, c, d, e, f, g, h))
LEAD(
    int, PQsendQueryPrepared,
    (PGconn *a, const char *b, int c, const char *const *d, const int *e, const int *f, int g),
    (a, b, c, d, e, f, g))
LEAD(PGresult *, PQgetResult, (PGconn *a), (a))
LEAD(void, PQclear, (PGresult *a), (a))
LEAD(ExecStatusType, PQresultStatus, (const PGresult *a), (a))
LEAD(char *, PQresultErrorField, (const PGresult *a, int b), (a, b))
LEAD(char *, PQcmdStatus, (PGresult *a), (a))
LEAD(char *, PQcmdTuples, (PGresult *a), (a))
LEAD(int, PQntuples, (const PGresult *a), (a))
LEAD(int, PQnfields, (const PGresult *a), (a))
LEAD(Oid, PQftype, (const PGresult *a, int b), (a, b))
LEAD(int, PQgetisnull, (const PGresult *a, int b, int c), (a, b, c))
LEAD(int, PQgetlength, (const PGresult *a, int b, int c), (a, b, c))
LEAD(char *, PQgetvalue, (const PGresult *a, int b, int c), (a, b, c))
