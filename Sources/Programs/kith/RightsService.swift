import Bridge
import Foundation
import Logging
import MQTT
import ServiceLifecycle
import Store
import Synchronization

/// Keeps the rights that the broker's gate reads up to date while another machine's bridge decides,
/// or while this machine's bridge is frozen.
struct RightsService: Service {
    let address: DatabaseAddress
    let logger: Logger

    /// In milliseconds.
    private static let pause: Int32 = 200

    func run() async throws {
        let isStopped = Stop()
        // Not waited for: a server that does not answer must not delay the end of everything else.
        let thread = Thread { follow { isStopped.state.withLock { $0 } } }
        thread.name = "rights"
        thread.start()
        do {
            try await gracefulShutdown()
        } catch {
            // Cancelled.
        }
        isStopped.state.withLock { $0 = true }
    }

    private final class Stop: Sendable {
        let state = Mutex(false)
    }

    private func follow(until isStopped: () -> Bool) {
        let waker = Waker()
        var (follower, complaint): (RightsFollower?, String?) = (nil, nil)
        while !isStopped() {
            do throws(StoreError) {
                if follower == nil { follower = try RightsFollower(address) }
                try follower?.follow(atMost: RightsService.pause)
                complaint = nil
            } catch {
                follower = nil
                let reason = StorageFailure(error).sentence
                // The bridge reports this as well.
                if reason != complaint {
                    logger.notice(
                        "The gate's rights cannot be kept up to date.",
                        metadata: ["reason": "\(reason)"])
                }
                complaint = reason
                waker.wait(atMost: 1_000)
            }
        }
    }
}
