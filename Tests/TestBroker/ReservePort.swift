import LocalBroker
import Synchronization

/// A free port that the kernel gives to no one else until the tests end; a program that knows its
/// number can listen there.
public func reservePort() throws -> UInt16 {
    let port = try ReservedPort()
    reserved.withLock { $0.append(port) }
    return port.number
}

private let reserved = Mutex<[ReservedPort]>([])
