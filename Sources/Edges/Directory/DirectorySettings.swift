/// How people are found in a directory, and their passwords checked.
public struct DirectorySettings: Sendable {
    public var server: DirectoryServer
    /// The distinguished name above all people.
    public var base: String
    /// The distinguished name that a user binds as; nil: it is searched for.
    public var bind: DirectoryPattern?
    /// The filter for people who may log in; it finds one person.
    public var filter: DirectoryPattern
    /// The account that may look people up; nil if anyone may.
    public var account: Account?
    public var attributes = Attributes()
    /// The time limit for a query, in total.
    public var timeLimit = Duration.seconds(10)

    public struct Account: Sendable {
        public var name: String
        public var password: [UInt8]

        /// - Parameter password: if empty, no one is looked up.
        public init(name: String, password: [UInt8]) {
            (self.name, self.password) = (name, password)
        }
    }

    /// The directory's attribute names.
    public struct Attributes: Sendable {
        public var user = "uid"
        public var firstName = "givenName"
        public var lastName = "sn"
        public var mail = "mail"
        /// An attribute that never changes; nil: the entry's name, which may change.
        public var id: String? = "entryUUID"

        public init() {}

        var all: [String] { [user, firstName, lastName, mail] + (id.map { [$0] } ?? []) }
    }

    /// - Parameter filter: nil: the person with the user name.
    public init(
        server: DirectoryServer, base: String, bind: DirectoryPattern? = nil,
        filter: DirectoryPattern
    ) {
        (self.server, self.base, self.bind, self.filter) = (server, base, bind, filter)
    }

    /// Returns whether the text is a distinguished name.
    public static func isName(_ text: String) -> Bool {
        DirectoryText.normalized(name: text) != nil
    }

    /// Whether remaining people can be searched for without a user's password.
    public var canSearch: Bool { bind == nil || account != nil }
}
