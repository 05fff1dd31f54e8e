import Contract
import Settings
import Transfer

extension ChannelSettings {
    /// Reads the channel settings; the page's address is one of the page's settings.
    init(_ reader: inout SettingsReader) throws(SettingsError) {
        page = reader.string(ifPresent: "web.origin")
        contact = reader.value("channels.contact", nil, "must begin with mailto: or https:") {
            ["mailto:", "https:"].contains(where: $0.hasPrefix) ? .some($0) : nil
        }
        networks = reader.value(
            "channels.networks", [], "must be networks like 192.168.1.0/24, with commas between"
        ) { text in
            let parts = text.split(separator: ",")
            let blocks = parts.compactMap { AddressBlock(String($0.filter { !$0.isWhitespace })) }
            return blocks.count == parts.count ? blocks : nil
        }
        authorities = reader.file(ifPresent: "channels.authorities")
        mail = try reader.part(ifPresent: "mail.host") { host, reader throws(SettingsError) in
            try Mail(host, &reader)
        }
    }
}

extension ChannelSettings.Mail {
    fileprivate init(_ host: String, _ reader: inout SettingsReader) throws(SettingsError) {
        let port = reader.integer("mail.port", 587, 1...65_535)
        let security = reader.value(
            "mail.security", MailServer.Security.startTLS, "must be starttls, tls or none"
        ) { MailServer.Security(rawValue: $0) }
        let user = reader.string(ifPresent: "mail.username")
        let password = reader.string(ifPresent: "mail.password", isSecret: true)
        let from = reader.value("mail.from", "", "must be an address") { text in
            do { return try EmailAddress(text).text } catch { return nil }
        }
        try reader.require(!from.isEmpty, "mail.from is missing: the sender's address.")
        do throws(TransferError) {
            self.init(
                by: try MailServer(
                    host: host, port: port, security: security,
                    login: user.map { .init(user: $0, password: password ?? "") },
                    authorities: reader.file(ifPresent: "mail.authorities")),
                from: from)
        } catch {
            throw SettingsError(reasons: ["mail.host: \(error)"])
        }
    }
}
