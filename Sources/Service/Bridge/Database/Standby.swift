internal import Glibc
internal import Logging
internal import MQTT
internal import Store
internal import Tracking

/// A bridge that waits until it is to decide.
struct Standby {
    let address: DatabaseAddress
    let logger: Logger
    let waker: Waker
    /// Whether the process has just begun: then it ends if the server cannot be reached.
    let isFirst: Bool
    /// Called several times per second, with whether the bridge stands by as it should.
    let isStopped: (_ isReady: Bool) -> Bool

    init(
        _ address: DatabaseAddress, _ logger: Logger, _ waker: Waker, isFirst: Bool,
        isStopped: @escaping (_ isReady: Bool) -> Bool
    ) {
        (self.address, self.logger, self.waker) = (address, logger, waker)
        (self.isFirst, self.isStopped) = (isFirst, isStopped)
    }

    /// The host and the process, by which `kith status` names the bridge that decides.
    static var ownName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        let isKnown = gethostname(&bytes, bytes.count - 1) == 0
        let host = bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { String(cString: $0) } ?? ""
        }
        return "\(isKnown && !host.isEmpty ? host : "unknown") \(getpid())"
    }

    /// - Parameter waits: called once if another bridge decides.
    /// - Returns: whether this one is to decide now; false if it is to stop.
    /// - Throws: if the server cannot be reached at first.
    func isNext(waits: () -> Void) throws -> Bool {
        var succession: Succession? = isFirst ? try opened() : nil
        var (isWaiting, complaint): (Bool, String?) = (false, nil)
        while !isStopped(isWaiting && complaint == nil) {
            var line: String?
            do throws(StoreError) {
                if succession == nil {
                    succession = try Succession(address) { _ = isStopped(false) }
                }
                guard let live = succession else { continue }
                switch try live.look(after: isWaiting ? Standby.pace : 0) {
                case .free:
                    if isWaiting { logger.notice("Taking over.") }
                    return true
                case .ofAnotherVersion(let schema):
                    line = """
                        The database has schema \(schema), and this version knows only \
                        \(Store.newestSchema): it cannot decide until it is upgraded.
                        """
                case .taken: break
                }
                if !isWaiting { waits() }
                isWaiting = true
            } catch {
                succession = nil
                line = "The database cannot be used: \(StorageFailure(error).sentence)."
            }
            if let line, line != complaint { logger.warning("\(line)") }
            complaint = line
            if line != nil { waker.wait(atMost: 200) }
        }
        return false
    }

    private func opened() throws(BridgeError) -> Succession {
        do throws(StoreError) {
            return try Succession(address) { _ = isStopped(false) }
        } catch {
            throw BridgeError(error)
        }
    }

    /// In milliseconds.
    private static let pace: Int32 = 50
}
