internal import Foundation

extension BridgeSettings.Broker {
    /// Where one of the brokers is.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
        public var host: String
        public var port: Int32
        public var usesTLS = false

        /// - Parameter text: a URI such as `mqtts://broker.example.org:8883`.
        init?(_ text: String) {
            guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
                ["mqtt", "mqtts"].contains(parts.scheme), parts.user == nil,
                ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil
            else { return nil }
            usesTLS = parts.scheme == "mqtts"
            self.host = host.trimmingCharacters(in: ["[", "]"])
            let port = parts.port ?? (usesTLS ? 8883 : 1883)
            guard (1...65_535).contains(port) else { return nil }
            self.port = Int32(port)
        }

        init(host: String, port: Int32, usesTLS: Bool) {
            (self.host, self.port, self.usesTLS) = (host, port, usesTLS)
        }

        public var description: String {
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    /// At least one.
    package var addresses: [Address] {
        all.isEmpty ? [Address(host: host, port: port, usesTLS: tls != nil)] : all
    }

    static let rule = """
        must be up to \(BridgeSettings.maximumBrokers) different addresses like \
        mqtts://broker.example.org:8883, with commas between
        """

    /// - Returns: nil if the text is not such a list.
    static func addresses(_ text: String) -> [Address]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let all = parts.compactMap { Address($0.trimmingCharacters(in: .whitespaces)) }
        guard all.count == parts.count, all.count <= BridgeSettings.maximumBrokers,
            Set(all.map(\.description)).count == all.count
        else { return nil }
        return all
    }
}
