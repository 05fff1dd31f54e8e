internal import Glibc
internal import Tracking

/// Converts the broker's data to Swift values.
extension Plugin {
    /// Nil if there is no text, or if it is not valid UTF-8.
    static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        unsafe pointer.flatMap { unsafe String(validatingCString: $0) }
    }

    /// Returns an upper bound for the number of JSON objects in the data.
    static func objects(_ start: UnsafeRawPointer?, _ count: Int) -> Int {
        guard let start = unsafe start else { return 0 }
        return unsafe UnsafeRawBufferPointer(start: start, count: count).count {
            $0 == UInt8(ascii: "{")
        }
    }

    static func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> [UInt8] {
        guard let start = unsafe start else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    static var now: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// By the machine's clock, which can be set.
    static var wall: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
