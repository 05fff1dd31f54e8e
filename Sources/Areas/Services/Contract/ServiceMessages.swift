internal import JSON
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

extension ServiceDescription {
    static let payload = Payload<ServiceDescription>(
        .init("service", .name) { $0.service },
        .init("name", .text) { $0.title },
        .init("company", .text) { $0.company },
        .init("description", .text) { $0.description },
        .init("data", .sharedData) { $0.data })

    /// For those who have added it, and for its company.
    static let own = Payload<ServiceDescription>(
        .members(of: payload) { $0 },
        .init("address", .text) { $0.address })
}

extension AccessEntry {
    static let payload = Payload<AccessEntry>(
        .init("id", .number) { $0.id },
        .init("at", .time) { $0.at },
        .init("service", .name) { $0.service?.name },
        .init("company", .text) { $0.service?.company },
        .init("user", .name) { $0.user?.name },
        .init("name", .text) { $0.user?.displayName },
        .init("share", .uuid) { if case .link(let share) = $0.by { share } else { nil } },
        .init("what", .choice) { $0.what },
        .init("data", .sharedData) { $0.seen?.data },
        .init("from", .time) { $0.seen?.time.lowerBound },
        .init("to", .time) { $0.seen?.time.upperBound },
        .init("count", .count) { $0.count })

    private var service: (name: Name, company: String)? {
        if case .service(let name, let company) = by { (name, company) } else { nil }
    }

    private var user: (name: Name, displayName: String)? {
        if case .user(let name, let displayName) = by { (name, displayName) } else { nil }
    }
}

extension ExportItem {
    /// - Parameter service: one of the company's.
    public static func service(_ service: ServiceDescription, createdAt: Timestamp) -> ExportItem {
        ExportItem("service") { json in
            json.members(ServiceDescription.own, service)
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
        ExportItem("access", AccessEntry.payload, entry)
    }
}
