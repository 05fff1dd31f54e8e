public import JSON
internal import Languages
public import Tracking

/// One item stored about a person, as the person receives it: a JSON object whose `type` names its
/// kind. An area's kinds are extensions in its folder; each has a row of ``ExportList``.
public struct ExportItem: Sendable {
    public let type: String
    public let payload: [UInt8]

    /// - Parameter members: writes the object's members besides its type.
    public init(_ type: String, _ members: (inout JSONWriter) -> Void) {
        self.type = type
        payload = JSONWriter.object { json in
            json.key("type")
            json.string(type)
            members(&json)
        }
    }

    public init<Value>(_ type: String, _ payload: Payload<Value>, _ value: Value) {
        self.init(type) { $0.members(payload, value) }
    }

    /// An item with a payload received from a service.
    public init(type: String, payload: [UInt8]) { (self.type, self.payload) = (type, payload) }
}

extension ExportItem {
    public static func account(_ account: Account) -> ExportItem {
        ExportItem("account") { account.write(to: &$0) }
    }

    /// The data written for the person on the last counted day, and the daily quota.
    public static func usage(_ usage: Usage) -> ExportItem {
        ExportItem("usage") { usage.write(to: &$0) }
    }

    public static func device(
        _ name: Name, kind: String, createdAt: Timestamp, lastSeen: Timestamp? = nil
    ) -> ExportItem {
        ExportItem("device") { json in
            json.member("device", name.text)
            json.member("kind", kind)
            json.member("createdAt", createdAt)
            if let lastSeen { json.member("lastSeen", lastSeen) }
        }
    }

    public static func fix(_ fix: Fix, device: Name) -> ExportItem {
        ExportItem("fix") { json in
            json.member("device", device.text)
            json.key("fix")
            json.fix(fix)
        }
    }

    public struct Account: Sendable {
        public var user: Name
        public var name: String
        public var firstName: String?
        public var lastName: String?
        public var email: String?
        public var ownTracksPublishIsSOS: Bool
        public var createdAt: Timestamp
        public var addableBy: Addability
        public var emailVerifiedAt: Timestamp?
        /// The last accepted version of the terms, and when it was accepted.
        public var terms: (version: String, acceptedAt: Timestamp)?
        public var secondFactorSince: Timestamp?
        public var profile: Profile

        public init(
            user: Name, name: String, firstName: String?, lastName: String?, email: String?,
            ownTracksPublishIsSOS: Bool, createdAt: Timestamp, addableBy: Addability,
            emailVerifiedAt: Timestamp? = nil,
            terms: (version: String, acceptedAt: Timestamp)? = nil,
            secondFactorSince: Timestamp? = nil, profile: Profile = Profile()
        ) {
            (self.emailVerifiedAt, self.terms) = (emailVerifiedAt, terms)
            self.secondFactorSince = secondFactorSince
            self.profile = profile
            self.user = user
            self.name = name
            self.firstName = firstName
            self.lastName = lastName
            self.email = email
            self.ownTracksPublishIsSOS = ownTracksPublishIsSOS
            self.createdAt = createdAt
            self.addableBy = addableBy
        }
    }
}

extension ExportItem.Account {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("user", user.text)
        json.member("name", name)
        json.member("firstName", firstName)
        json.member("lastName", lastName)
        json.member("email", email)
        json.key("publishIsSOS")
        json.bool(ownTracksPublishIsSOS)
        json.member("createdAt", createdAt)
        json.member("addableBy", addableBy.rawValue)
        if let emailVerifiedAt { json.member("emailVerifiedAt", emailVerifiedAt) }
        if let terms {
            json.key("terms")
            json.object { json in
                json.member("version", terms.version)
                json.member("acceptedAt", terms.acceptedAt)
            }
        }
        json.member("phone", profile.phone?.text)
        json.member("phoneShownTo", profile.phoneShownTo.rawValue)
        json.member("language", profile.language?.rawValue)
        if let secondFactorSince { json.member("secondFactorSince", secondFactorSince) }
    }
}

extension Usage {
    fileprivate func write(to json: inout JSONWriter) {
        if let since { json.member("since", since) }
        json.member("fixes", count(.fixes).rows)
        json.member("alerts", count(.alerts).rows)
        json.member("messages", count(.messages).rows)
        json.member("messageBytes", count(.messages).bytes)
        json.member("changes", count(.changes).rows)
        json.member("answers", count(.answers).rows)
        json.member("answerBytes", count(.answers).bytes)
        json.member("strangers", count(.strangers).rows)
    }
}
