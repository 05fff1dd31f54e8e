internal import CMalloc

/// Memory that was freed but still belongs to the process.
enum FreedMemory {
    /// Returns freed memory to the system. To be called after reading much temporary data, as at
    /// the start: malloc would otherwise keep the memory in case it is needed again.
    static func giveBack() { malloc_trim(0) }
}
