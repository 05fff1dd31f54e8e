internal import CMalloc

/// What was freed, and is still the process's.
enum FreedMemory {
    /// To be called when much was read that does not stay, as at the start: malloc keeps it
    /// otherwise, in case it is needed again.
    static func giveBack() { malloc_trim(0) }
}
