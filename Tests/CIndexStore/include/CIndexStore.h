#include <stdbool.h>

/// Calls `found` for each use of a declaration of the standard library that the compiler has recorded
/// while it built the sources (the index store, as editors read it).
///
/// - Parameters:
///   - library: the toolchain's libIndexStore.so.
///   - store: the folder `index/store` of a build.
///   - found: `usr` identifies the declaration, overloads apart; `file` is an absolute path.
/// - Returns: false if the library or the store cannot be opened.
bool index_store_read(
    const char *library, const char *store, void *context,
    void (*found)(void *context, const char *usr, const char *file, unsigned line));
