import Directory
import FoundationEssentials
import Settings

extension DirectoryLogin {
    /// Reads the directory settings.
    ///
    /// - Returns: nil if there is no directory.
    static func read(_ reader: inout SettingsReader) throws(SettingsError) -> DirectoryLogin? {
        let example = "ldaps://localhost"
        return try reader.part(ifPresent: "login.ldap.url", example: example) {
            url, reader throws(SettingsError) in
            try DirectoryLogin(url, &reader)
        }
    }

    private init(_ url: String, _ reader: inout SettingsReader) throws(SettingsError) {
        try reader.require(
            DirectoryServer.canBeAsked,
            "login.ldap.url needs libldap: apt install libldap2 (Debian 12: libldap-2.5-0).")
        let security = reader.value(
            "login.ldap.security", DirectoryServer.Security?.none, "must be starttls or none"
        ) { text in
            DirectoryServer.Security(rawValue: text).flatMap { $0 == .tls ? nil : .some($0) }
        }
        guard var server = DirectoryServer(url, security) else {
            throw SettingsError(reasons: [
                "login.ldap.url must be ldaps://HOST or ldap://HOST, with :PORT if need be; "
                    + "login.ldap.security is only for ldap:."
            ])
        }
        server.authorities = reader.string(ifPresent: "login.ldap.authorities")
        if let path = server.authorities, !FileManager.default.isReadableFile(atPath: path) {
            throw SettingsError(reasons: ["login.ldap.authorities cannot be read."])
        }
        var attributes = DirectorySettings.Attributes()
        func attribute(_ name: String, _ usual: String) -> String {
            reader.value(
                "login.ldap.attributes.\(name)", usual, "must be an attribute name"
            ) { $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9-]{0,63}/).map { String($0.output) } }
        }
        attributes.user = attribute("user", attributes.user)
        attributes.firstName = attribute("firstName", attributes.firstName)
        attributes.lastName = attribute("lastName", attributes.lastName)
        attributes.mail = attribute("mail", attributes.mail)
        let id = attribute("id", attributes.id ?? "")
        attributes.id = id.lowercased() == "dn" ? nil : id

        let base = reader.string("login.ldap.base", "")
        try reader.require(
            DirectorySettings.isName(base),
            "login.ldap.base must be a distinguished name, such as "
                + "ou=people,dc=example,dc=org: where people are.")
        let rule = "must have {user} in it, and be"
        let bind = reader.value(
            "login.ldap.bind", DirectoryPattern?.none, "\(rule) a distinguished name"
        ) { DirectoryPattern($0, .name) }
        let filter = reader.value(
            "login.ldap.filter", DirectoryPattern(attribute: attributes.user), "\(rule) a filter"
        ) { DirectoryPattern($0, .filter) }

        var settings = DirectorySettings(server: server, base: base, bind: bind, filter: filter)
        settings.attributes = attributes
        settings.account = try DirectoryLogin.account(&reader)
        settings.timeLimit = min(
            reader.seconds("login.ldap.timeout", settings.timeLimit),
            DirectoryLogin.longestTimeLimit)
        self.init(settings)
        checkEvery = reader.seconds("login.ldap.checkEvery", checkEvery)
        checksPerMinute = reader.integer(
            "login.ldap.checksPerMinute", checksPerMinute, 1...1_000)
        tokenLifetime = reader.days("login.ldap.tokenLifetime", tokenLifetime)
    }

    /// A login on the page waits for 20 s.
    private static let longestTimeLimit = Duration.seconds(15)

    private static func account(_ reader: inout SettingsReader) throws(SettingsError)
        -> DirectorySettings.Account?
    {
        let name = reader.string(ifPresent: "login.ldap.account")
        let path = reader.string(ifPresent: "login.ldap.passwordFile")
        guard name != nil || path != nil else { return nil }
        guard let name, DirectorySettings.isName(name), let path else {
            throw SettingsError(reasons: [
                "login.ldap.account must be a distinguished name, and login.ldap.passwordFile the "
                    + "file with its password."
            ])
        }
        let unusable = SettingsError(reasons: [
            "login.ldap.passwordFile must be a file that can be read, with a password in its first "
                + "line."
        ])
        guard let bytes = FileManager.default.contents(atPath: path) else { throw unusable }
        let password = Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D })
        guard !password.isEmpty, password.count <= 1024, !password.contains(0) else {
            throw unusable
        }
        return DirectorySettings.Account(name: name, password: password)
    }
}
