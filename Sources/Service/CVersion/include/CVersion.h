/// The commit that the program was built from; empty if it was not set. See Package.swift.
const char *kith_commit(void);
