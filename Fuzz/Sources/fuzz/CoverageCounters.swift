import Glibc

/// The counters of how often each block of code was run, as libFuzzer is to see them.
///
/// It looks at every counter it knows after each input, and clears them all: those of the whole program are
/// hundreds of thousands, and would take four times as long as a short input. So it comes to know a part of
/// them once something in that part has run.
@MainActor enum CoverageCounters {
    /// Those of the whole program; what describes the code of each has the same order.
    nonisolated(unsafe) private static var counters = UnsafeMutableBufferPointer<UInt8>(
        start: nil, count: 0)
    nonisolated(unsafe) private static var places: UnsafeMutableRawPointer?

    /// The beginnings of the parts that libFuzzer does not know.
    private static var unknown: [Int] = []
    private static var inputs = 0
    private static let zeros = [UInt8](repeating: 0, count: part)

    /// Counters of a part; libFuzzer knows 4096 parts at most.
    private static let part = 1_024
    private static let bytesOfPlace = 2 * MemoryLayout<UInt>.stride
    /// So many inputs, which are those of the corpus, are looked at each by itself.
    private static let exactly = 20_000
    private static let between = 64

    /// Before libFuzzer begins.
    ///
    /// - Parameter all: whether it knows all parts at once, so that numbers of parts are the same in all
    ///   processes.
    static func begin(knowingAll all: Bool) {
        unknown = Array(stride(from: 0, to: counters.count, by: part))
        if all {
            for start in unknown { tell(start) }
            unknown = []
        } else {
            look()
        }
    }

    /// After an input has run.
    static func look() {
        inputs += 1
        let isExact = inputs <= exactly
        guard isExact || inputs % between == 0 else { return }
        unknown.removeAll { start in
            guard let base = counters.baseAddress, memcmp(base + start, zeros, size(start)) != 0
            else { return false }
            // Another input may have been there: it is found when the next one is.
            if !isExact { memset(base + start, 0, size(start)) }
            tell(start)
            return true
        }
    }

    private static func size(_ start: Int) -> Int { min(part, counters.count - start) }

    private static func tell(_ start: Int) {
        guard let base = counters.baseAddress, let places else { return }
        let end = start + size(start)
        initCounters(base + start, base + end)
        initPlaces(places + start * bytesOfPlace, places + end * bytesOfPlace)
    }

    // MARK: What the instrumented code calls before `main`

    nonisolated fileprivate static func take(
        _ start: UnsafeMutablePointer<UInt8>, _ end: UnsafeMutablePointer<UInt8>
    ) {
        counters = UnsafeMutableBufferPointer(start: start, count: end - start)
    }

    nonisolated fileprivate static func take(places start: UnsafeMutableRawPointer) {
        places = start
    }
}

// The linker (`--wrap`) has the program call the first of each pair instead of the second, libFuzzer's.

@_cdecl("__wrap___sanitizer_cov_8bit_counters_init")
func takeCounters(_ start: UnsafeMutablePointer<UInt8>, _ end: UnsafeMutablePointer<UInt8>) {
    CoverageCounters.take(start, end)
}

@_cdecl("__wrap___sanitizer_cov_pcs_init")
func takePlaces(_ start: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer) {
    CoverageCounters.take(places: start)
}

@_silgen_name("__real___sanitizer_cov_8bit_counters_init")
private func initCounters(_ start: UnsafeMutablePointer<UInt8>, _ end: UnsafeMutablePointer<UInt8>)

@_silgen_name("__real___sanitizer_cov_pcs_init")
private func initPlaces(_ start: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer)
