import OperatorTools
import Web

/// Where people reach what runs here.
extension WebSettings {
    /// Puts what the command line of the running `kith up` says in place of the configuration.
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
            // It runs, so its command line is right.
        }
    }

    /// Whether people use Kith on this machine itself: `kith up` serves them, and nothing lets in
    /// anybody else.
    func isForThisMachine(_ bridge: Condition.Bridge?) -> Bool {
        guard let bridge, bridge.servesPage, bridge.phonesName == nil else { return false }
        return server.origin == nil && !server.isBehindProxy && phones.host == nil
    }

    /// The page's address in browsers, without a slash at its end; nil if it is not known.
    func pageAddress(_ bridge: Condition.Bridge?) -> String? {
        if let origin = server.origin { return origin }
        guard isForThisMachine(bridge), server.port > 0,
            !["0.0.0.0", "::"].contains(server.address)
        else { return nil }
        return "http://\(server.address):\(server.port)"
    }
}
