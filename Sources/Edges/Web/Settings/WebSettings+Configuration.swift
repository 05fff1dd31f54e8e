internal import Contract
internal import Limits
internal import MQTT
internal import Numbers
public import Settings

extension WebSettings: ConfiguredSettings {
    /// Reads the same file and environment as the bridge.
    public init(_ reader: inout SettingsReader) {
        self.init()
        topics = reader.value("topics.root", topics, TopicSpace.rule) { TopicSpace(checking: $0) }
        broker.host = reader.string("broker.host", broker.host)
        broker.port = Int32(reader.integer("broker.port", Int(broker.port), 1...65535))
        broker.tls = reader.part(ifTrue: "broker.tls") { reader in
            ConnectionOptions.TLS(authorities: reader.string(ifPresent: "broker.tlsAuthorities"))
        }
        server.address = reader.string("web.address", server.address)
        server.port = reader.integer("web.port", server.port, 0...65535)
        server.origin = reader.string(ifPresent: "web.origin")
        server.hosts = (reader.string(ifPresent: "web.hosts") ?? "").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        server.isBehindProxy = reader.bool("web.behindProxy", server.isBehindProxy)
        server.logsWrongPasswords = reader.bool(
            "web.logWrongPasswords", server.logsWrongPasswords)
        server.hasOperatorsPage = reader.bool("web.operatorPage", server.hasOperatorsPage)
        limits.connectionsOfAddress = reader.integer(
            "web.connectionsOfAddress", limits.connectionsOfAddress, 1...100_000)
        let rate = reader.integer(
            "web.requestsOfAddress", Int(clamping: limits.requestsOfAddress.perSecond), 1...100_000)
        limits.requestsOfAddress = Allowance(burst: Double(rate) * 6, perSecond: Double(rate))
        tiles = reader.part(ifPresent: "web.tiles") { url, reader in
            Tiles(
                url: url, attribution: reader.string("web.tilesAttribution", ""),
                maximumZoom: reader.integer("web.tilesMaximumZoom", 19, 1...25))
        }
        map = reader.file(ifPresent: "web.map")
        phones.host = reader.string(ifPresent: "web.phoneHost")
        phones.port = reader.integer(ifPresent: "web.phonePort", 1...65535)
        phones.tls = reader.bool("web.phoneTLS", phones.tls)
        let version = reader.termsVersion()
        let texts = (
            reader.file(ifPresent: "web.terms"), reader.file(ifPresent: "web.privacy")
        )
        terms = version.map { Terms(version: $0, terms: texts.0, privacy: texts.1) }
        // A setting of the bridge, which needs the page's address for it.
        sendsLinks = reader.string(ifPresent: "mail.host") != nil && server.origin != nil
        registration = reader.value(
            "accounts.registration", registration, RegistrationPolicy.rule
        ) { RegistrationPolicy(rawValue: $0) }
        files = reader.files
        let read = self
        reader.part(()) { _ throws(SettingsError) in
            try read.check(hasTexts: texts.0 != nil || texts.1 != nil)
        }
    }

    private func check(hasTexts: Bool) throws(SettingsError) {
        var reasons: [String] = []
        if hasTexts, terms == nil {
            reasons.append("terms.version is missing: web.terms and web.privacy need it.")
        }
        if let tiles, Origin(of: tiles.url) == nil {
            reasons.append("web.tiles must be an address that begins with https:// or http://.")
        }
        if map != nil, tiles != nil {
            reasons.append("web.map and web.tiles exclude each other: the page shows one map.")
        }
        if let origin = server.origin, Origin(of: origin)?.text != origin {
            reasons.append(
                "web.origin must be a scheme and a host, such as https://kith.example.org, without a path."
            )
        }
        if server.hosts.contains(where: {
            Origin(of: "http://\($0)")?.text != "http://\($0)".lowercased()
        })
            || server.hosts.contains(where: { $0.contains(":") })
        {
            reasons.append(
                "web.hosts must be names without a port, such as kith.example.org, separated by commas."
            )
        }
        if !reasons.isEmpty { throw SettingsError(reasons: reasons) }
    }
}
