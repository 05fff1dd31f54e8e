internal import MQTT
internal import Synchronization

/// Phones that run together, all driven by one thread.
///
/// ```swift
/// let track = GeneratedTrack(.commute, seed: 1).track()
/// var phone = Phone(user: ann, device: phoneName, track: track)
/// phone.actions = [.startSharing(with: .all)]
/// let fleet = Fleet([phone], options)
/// Thread { fleet.run() }.start()
/// // …
/// fleet.stop()
/// ```
public final class Fleet: Sendable {
    private let phones: [Phone]
    private let options: Options
    private let report: @Sendable (Event) -> Void
    private let stopped = Atomic(false)
    private let waker = Waker()

    /// - Parameter report: called on the thread that runs the fleet; must not block.
    public init(
        _ phones: [Phone], _ options: Options = Options(),
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.phones = phones
        self.options = options
        self.report = report
    }

    /// Drives the phones until each has sent its track and received what it waits for, or until
    /// ``stop()``. Blocks, so call it on a thread of its own, and only once.
    ///
    /// - Throws: if the state file cannot be read, or cannot be written at the end.
    public func run() throws(StateError) -> FleetStatistics {
        var loop = try FleetLoop(phones, options, report: report)
        return try loop.run(waker: waker) { isStopped }
    }

    /// Whether ``stop()`` has been called.
    public var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Makes every phone disconnect; ``run()`` returns within a few seconds. May be called from any
    /// thread at any time.
    public func stop() {
        stopped.store(true, ordering: .releasing)
        waker.wake()
    }
}
