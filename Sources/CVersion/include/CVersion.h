/// The commit that the program was built from; empty if nobody said so. See Package.swift.
const char *kith_commit(void);
