import OperatorTools
import Web

/// The addresses at which people reach this installation.
extension WebSettings {
    /// Replaces the configuration by the settings on the command line of the running `kith up`.
    ///
    /// - Parameter data: the data directory.
    mutating func follow(_ bridge: Condition.Bridge?, data: String) {
        guard let bridge else { return }
        if let port = bridge.port("--port") { broker.port = Int32(port) }
        let page = bridge.port("--web-port")
        if let page { server.port = page }
        guard let name = bridge.phonesName else { return }
        do {
            try PhoneAccess(name: name, data: data).apply(to: &self, port: page)
        } catch {
            // It is running, so its command line is valid.
        }
    }

    /// Returns whether people use Kith on this machine itself: `kith up` serves them, and no one
    /// else is admitted.
    func isForThisMachine(_ bridge: Condition.Bridge?) -> Bool {
        guard let bridge, bridge.servesPage, bridge.phonesName == nil else { return false }
        return server.origin == nil && !server.isBehindProxy && phones.host == nil
    }

    /// Returns the page's address in browsers, without a slash at its end; nil if unknown.
    func pageAddress(_ bridge: Condition.Bridge?) -> String? {
        if let origin = server.origin { return origin }
        guard isForThisMachine(bridge), server.port > 0,
            !["0.0.0.0", "::"].contains(server.address)
        else { return nil }
        return "http://\(server.address):\(server.port)"
    }
}
