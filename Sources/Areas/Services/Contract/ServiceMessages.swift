public import JSON
public import Tracking

/// A service as people see it.
public struct ServiceDescription: Hashable, Sendable {
    public let service: Name
    /// The name that people see.
    public let title: String
    public let company: String
    public let description: String
    public let data: SharedData
    /// The page where it is opened; included for people who have added the service.
    public let address: String?

    public init(
        service: Name, title: String, company: String, description: String, data: SharedData,
        address: String?
    ) {
        (self.service, self.title, self.company) = (service, title, company)
        (self.description, self.data, self.address) = (description, data, address)
    }
}

/// An entry in the log of access to a user's data.
public struct AccessEntry: Hashable, Sendable {
    public enum By: Hashable, Sendable {
        /// A service, with the names at that time.
        case service(Name, company: String)
        /// A friend, or a member of a group.
        case user(Name, displayName: String)
        /// Anyone with the link.
        case link(UUIDv7)
        /// Dispatch.
        case dispatch
    }

    public enum What: String, Hashable, Sendable, CaseIterable {
        /// The service requested consent.
        case requested
        case granted
        case refused
        case revoked
        /// The service was ended, by its company or together with it.
        case ended
        /// The service read stored samples.
        case read
        /// The service tried to read without consent.
        case denied
        /// The service may receive samples as they arrive.
        case streamAllowed = "stream-allowed"
        /// The service may no longer do so.
        case streamEnded = "stream-ended"
        /// Samples were published for it as they arrived.
        case streamed
        case subscribed
        case unsubscribed
        /// A friend saw the user in the nearby list.
        case nearby
        /// A member of a group read the user's path.
        case path
        /// A share link was opened.
        case opened
        /// Dispatch was called, with the user's position.
        case called
        /// Dispatch read vital signs.
        case readForHelp = "read-for-help"
    }

    public let id: Int64
    public let at: Timestamp
    public let by: By
    public let what: What
    /// The samples read or published; nil if there were none, or in an entry of an earlier Kith.
    public let seen: Seen?
    /// The number of samples, or of openings of a link.
    public let count: Int?

    /// The samples that were accessed.
    public struct Seen: Hashable, Sendable {
        public private(set) var data: SharedData
        /// The range from the oldest to the newest time of measurement.
        public private(set) var time: ClosedRange<Timestamp>

        public init(_ data: SharedData, _ time: ClosedRange<Timestamp>) {
            (self.data, self.time) = (data, time)
        }

        public init(_ data: SharedData, at time: Timestamp) { self.init(data, time...time) }

        public mutating func add(_ other: Seen) {
            data.formUnion(other.data)
            time =
                min(
                    time.lowerBound, other.time.lowerBound)...max(
                    time.upperBound, other.time.upperBound)
        }
    }

    public init(
        id: Int64 = 0, at: Timestamp, by: By, what: What, seen: Seen? = nil, count: Int? = nil
    ) {
        (self.id, self.at, self.by) = (id, at, by)
        (self.what, self.seen, self.count) = (what, seen, count)
    }
}

extension JSONWriter {
    /// Writes the members of an object.
    ///
    /// - Parameter isOwn: whether the reader has added it, and so gets its address.
    public mutating func service(_ service: ServiceDescription, isOwn: Bool = false) {
        member("service", service.service.text)
        member("name", service.title)
        member("company", service.company)
        member("description", service.description)
        key("data")
        array(service.data.names) { $0.string($1) }
        if isOwn, let address = service.address { member("address", address) }
    }

    public mutating func access(_ entry: AccessEntry) {
        key("id")
        number(entry.id)
        member("at", entry.at)
        switch entry.by {
        case .service(let service, let company):
            member("service", service.text)
            member("company", company)
        case .user(let user, let displayName):
            member("user", user.text)
            member("name", displayName)
        case .link(let share): member("share", share.description)
        case .dispatch: break
        }
        member("what", entry.what.rawValue)
        if let seen = entry.seen {
            key("data")
            array(seen.data.names) { $0.string($1) }
            member("from", seen.time.lowerBound)
            member("to", seen.time.upperBound)
        }
        guard let count = entry.count else { return }
        key("count")
        number(count)
    }
}

extension ExportItem {
    /// - Parameter service: one of the company's.
    public static func service(_ service: ServiceDescription, createdAt: Timestamp) -> ExportItem {
        ExportItem("service") { json in
            json.service(service, isOwn: true)
            json.member("createdAt", createdAt)
        }
    }

    /// - Parameters:
    ///   - endedAt: when it was revoked; nil if it was not.
    ///   - streamsSince: since when it includes streaming; nil if it does not.
    public static func serviceConsent(
        to service: Name, company: String, at: Timestamp, endedAt: Timestamp?,
        streamsSince: Timestamp?
    ) -> ExportItem {
        ExportItem("service-consent") { json in
            json.member("service", service.text)
            json.member("company", company)
            json.member("at", at)
            if let endedAt { json.member("endedAt", endedAt) }
            if let streamsSince { json.member("streamsSince", streamsSince) }
        }
    }

    /// - Parameter isAllowed: nil if it was not answered.
    public static func dataRequest(
        of service: Name, company: String, reason: String, at: Timestamp, isAllowed: Bool?,
        streams: Bool
    ) -> ExportItem {
        ExportItem("data-request") { json in
            json.member("service", service.text)
            json.member("company", company)
            json.member("reason", reason)
            json.member("at", at)
            json.flag("stream", streams)
            guard let isAllowed else { return }
            json.key("allowed")
            json.bool(isAllowed)
        }
    }

    public static func access(_ entry: AccessEntry) -> ExportItem {
        ExportItem("access") { $0.access(entry) }
    }
}
