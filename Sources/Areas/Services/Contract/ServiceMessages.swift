public import JSON
public import Tracking

/// A service as people see it.
public struct ServiceDescription: Hashable, Sendable {
    public let service: Name
    /// As people read it.
    public let title: String
    public let company: String
    public let description: String
    public let data: SharedData

    public init(
        service: Name, title: String, company: String, description: String, data: SharedData
    ) {
        (self.service, self.title, self.company) = (service, title, company)
        (self.description, self.data) = (description, data)
    }
}

/// An entry of the log of who asked for a user's data, and what came of it.
public struct AccessEntry: Hashable, Sendable {
    public enum By: Hashable, Sendable {
        /// With the names as they were.
        case service(Name, company: String)
        /// A friend, or a member of a group.
        case user(Name, displayName: String)
        /// Whoever has it.
        case link(UUIDv7)
        /// Dispatch.
        case dispatch
    }

    public enum What: String, Hashable, Sendable, CaseIterable {
        /// The service asked for the user's agreement.
        case requested
        case granted
        case refused
        case revoked
        /// The service read stored samples.
        case read
        /// It tried to, without the user's agreement.
        case denied
        case subscribed
        case unsubscribed
        /// A friend saw the user among those nearby.
        case nearby
        /// A member of a group read the user's path.
        case path
        /// Somebody opened a link that shows where the user is.
        case opened
        /// Dispatch was called, with the user's position.
        case called
        /// They read vital signs.
        case readForHelp = "read-for-help"
    }

    public let id: Int64
    public let at: Timestamp
    public let by: By
    public let what: What
    /// How many samples were read.
    public let count: Int?

    public init(id: Int64 = 0, at: Timestamp, by: By, what: What, count: Int? = nil) {
        (self.id, self.at, self.by) = (id, at, by)
        (self.what, self.count) = (what, count)
    }
}

extension JSONWriter {
    /// The members of an object.
    public mutating func service(_ service: ServiceDescription) {
        member("service", service.service.text)
        member("name", service.title)
        member("company", service.company)
        member("description", service.description)
        key("data")
        array(service.data.names) { $0.string($1) }
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
        guard let count = entry.count else { return }
        key("count")
        number(count)
    }
}

extension ExportItem {
    /// - Parameter service: one that the company offers.
    public static func service(_ service: ServiceDescription, createdAt: Timestamp) -> ExportItem {
        ExportItem("service") { json in
            json.service(service)
            json.member("createdAt", createdAt)
        }
    }

    /// - Parameter endedAt: when it was taken back; nil if it was not.
    public static func serviceConsent(
        to service: Name, company: String, at: Timestamp, endedAt: Timestamp?
    ) -> ExportItem {
        ExportItem("service-consent") { json in
            json.member("service", service.text)
            json.member("company", company)
            json.member("at", at)
            if let endedAt { json.member("endedAt", endedAt) }
        }
    }

    /// - Parameter isAllowed: nil if it was not answered.
    public static func dataRequest(
        of service: Name, company: String, reason: String, at: Timestamp, isAllowed: Bool?
    ) -> ExportItem {
        ExportItem("data-request") { json in
            json.member("service", service.text)
            json.member("company", company)
            json.member("reason", reason)
            json.member("at", at)
            guard let isAllowed else { return }
            json.key("allowed")
            json.bool(isAllowed)
        }
    }

    public static func access(_ entry: AccessEntry) -> ExportItem {
        ExportItem("access") { $0.access(entry) }
    }
}
