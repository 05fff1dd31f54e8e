/// How people are found in a directory, and their passwords checked.
public struct DirectorySettings: Sendable {
    public var server: DirectoryServer
    /// Where people are, the distinguished name above all of them.
    public var base: String
    /// The distinguished name that somebody binds as; nil: it is searched for.
    public var bind: DirectoryPattern?
    /// Who may log in: it finds one person.
    public var filter: DirectoryPattern
    /// Whom the directory lets look people up; nil: everybody.
    public var account: Account?
    public var attributes = Attributes()
    /// How long a question may take, all in all.
    public var timeLimit = Duration.seconds(10)

    public struct Account: Sendable {
        public var name: String
        public var password: [UInt8]

        /// - Parameter password: with an empty one nobody is looked up.
        public init(name: String, password: [UInt8]) {
            (self.name, self.password) = (name, password)
        }
    }

    /// What the directory calls things.
    public struct Attributes: Sendable {
        public var user = "uid"
        public var firstName = "givenName"
        public var lastName = "sn"
        public var mail = "mail"
        /// What never changes; nil: the entry's name, which may.
        public var id: String? = "entryUUID"

        public init() {}

        var all: [String] { [user, firstName, lastName, mail] + (id.map { [$0] } ?? []) }
    }

    /// - Parameter filter: nil: whose user name it is.
    public init(
        server: DirectoryServer, base: String, bind: DirectoryPattern? = nil,
        filter: DirectoryPattern
    ) {
        (self.server, self.base, self.bind, self.filter) = (server, base, bind, filter)
    }

    /// Whether the text is a distinguished name.
    public static func isName(_ text: String) -> Bool {
        DirectoryText.normalized(name: text) != nil
    }

    /// Whether it can be asked who is still there, without anybody's password.
    public var canSearch: Bool { bind == nil || account != nil }
}
