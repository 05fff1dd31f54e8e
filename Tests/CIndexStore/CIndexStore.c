#include "CIndexStore.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// As the toolchain's indexstore/indexstore.h declares them.
typedef struct {
    const char *data;
    size_t length;
} string_ref;

enum { kind_record = 2 };

static void *(*store_create)(const char *, void **);
static void (*store_dispose)(void *);
static bool (*store_units)(void *, unsigned, void *, bool (*)(void *, string_ref));
static void *(*unit_create)(void *, const char *, void **);
static void (*unit_dispose)(void *);
static string_ref (*unit_main_file)(void *);
static bool (*unit_dependencies)(void *, void *, bool (*)(void *, void *));
static int (*dependency_kind)(void *);
static string_ref (*dependency_name)(void *);
static string_ref (*dependency_path)(void *);
static void *(*record_create)(void *, const char *, void **);
static void (*record_dispose)(void *);
static bool (*record_occurrences)(void *, void *, bool (*)(void *, void *));
static void *(*occurrence_symbol)(void *);
static void (*occurrence_place)(void *, unsigned *, unsigned *);
static string_ref (*symbol_usr)(void *);

typedef struct {
    void *store;
    char file[4096];
    void *context;
    void (*found)(void *, const char *, const char *, unsigned);
} reading;

static bool copy(string_ref from, char *to, size_t size) {
    if (from.length >= size) return false;
    memcpy(to, from.data, from.length);
    to[from.length] = 0;
    return true;
}

static bool read_occurrence(void *context, void *occurrence) {
    reading *self = context;
    char usr[1024];
    // Of Swift's own: s:S… for the types with short names, s:s… for the others.
    if (!copy(symbol_usr(occurrence_symbol(occurrence)), usr, sizeof usr)) return true;
    if (strncmp(usr, "s:S", 3) != 0 && strncmp(usr, "s:s", 3) != 0) return true;
    unsigned line = 0, column = 0;
    occurrence_place(occurrence, &line, &column);
    self->found(self->context, usr, self->file, line);
    return true;
}

static bool read_dependency(void *context, void *dependency) {
    reading *self = context;
    char name[1024], path[4096];
    if (dependency_kind(dependency) != kind_record
        || !copy(dependency_path(dependency), path, sizeof path) || strcmp(path, self->file) != 0
        || !copy(dependency_name(dependency), name, sizeof name))
        return true;
    void *record = record_create(self->store, name, NULL);
    if (!record) return true;
    record_occurrences(record, self, read_occurrence);
    record_dispose(record);
    return true;
}

static bool read_unit(void *context, string_ref ref) {
    reading *self = context;
    char name[1024];
    void *unit = copy(ref, name, sizeof name) ? unit_create(self->store, name, NULL) : NULL;
    if (!unit) return true;
    if (copy(unit_main_file(unit), self->file, sizeof self->file))
        unit_dependencies(unit, self, read_dependency);
    unit_dispose(unit);
    return true;
}

bool index_store_read(
    const char *library, const char *store, void *context,
    void (*found)(void *context, const char *usr, const char *file, unsigned line)) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
#define LOAD(name, symbol) \
    if (!(*(void **)&name = dlsym(handle, "indexstore_" symbol))) return false
    LOAD(store_create, "store_create");
    LOAD(store_dispose, "store_dispose");
    LOAD(store_units, "store_units_apply_f");
    LOAD(unit_create, "unit_reader_create");
    LOAD(unit_dispose, "unit_reader_dispose");
    LOAD(unit_main_file, "unit_reader_get_main_file");
    LOAD(unit_dependencies, "unit_reader_dependencies_apply_f");
    LOAD(dependency_kind, "unit_dependency_get_kind");
    LOAD(dependency_name, "unit_dependency_get_name");
    LOAD(dependency_path, "unit_dependency_get_filepath");
    LOAD(record_create, "record_reader_create");
    LOAD(record_dispose, "record_reader_dispose");
    LOAD(record_occurrences, "record_reader_occurrences_apply_f");
    LOAD(occurrence_symbol, "occurrence_get_symbol");
    LOAD(occurrence_place, "occurrence_get_line_col");
    LOAD(symbol_usr, "symbol_get_usr");
    void *error = NULL;
    reading self = {store_create(store, &error), "", context, found};
    if (!self.store) return false;
    bool is_read = store_units(self.store, 0, &self, read_unit);
    store_dispose(self.store);
    return is_read;
}
