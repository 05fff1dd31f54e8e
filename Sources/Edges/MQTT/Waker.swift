internal import Glibc

/// Ends another thread's wait: `wake()` may be called from any thread, at any time.
public final class Waker: Sendable {
    /// Becomes readable when woken.
    public let fileDescriptor: Int32
    private let writeEnd: Int32

    public init() {
        var ends: [Int32] = [-1, -1]
        let result = unsafe pipe(&ends)
        precondition(result == 0, "the process has no file descriptor left")
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (fileDescriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(fileDescriptor)
        close(writeEnd)
    }

    public func wake() {
        var byte: UInt8 = 1
        _ = unsafe write(writeEnd, &byte, 1)  // A full pipe also wakes.
    }

    /// Sleeps until woken, at most for the given number of milliseconds.
    public func wait(atMost milliseconds: Int32) {
        var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&entry, 1, milliseconds) > 0 { reset() }
    }

    /// Discards all wakes so far.
    public func reset() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(fileDescriptor, &bytes, bytes.count) > 0 {}
    }
}
