/// A row of the table of routes besides the contract's methods, for the specification. A test
/// compares it with the server's routes.
public struct WebRoute: Sendable {
    /// With `{…}` for names.
    public let path: String
    public let verbs: [String]
    public let summary: String
    public let access: Access
    public let parameters: [Parameter]
    /// The request body, in the notation of the contract's tables.
    public let body: String?
    public let answers: [Answer]
    /// Whether it is for programs, and not only for pages.
    public let isDescribed: Bool

    public enum Access: Sendable {
        case anybody
        case loggedIn
        /// The login makes a difference.
        case either
    }

    public struct Parameter: Sendable {
        public enum Place: String, Sendable { case path, query, header }

        public let name: String
        public let place: Place
        public let isRequired: Bool
        /// Whether it may occur several times.
        public let isList: Bool
        public let words: String

        static func path(_ name: String, _ words: String) -> Parameter {
            Parameter(name: name, place: .path, isRequired: true, isList: false, words: words)
        }
    }

    /// A successful answer.
    public struct Answer: Sendable {
        public let status: Int
        /// Nil for an answer without a body.
        public let type: String?
        public let words: String

        init(_ status: Int, _ type: String?, _ words: String) {
            (self.status, self.type, self.words) = (status, type, words)
        }
    }

    init(
        _ path: String, _ verbs: [String], _ summary: String, for access: Access,
        _ parameters: [Parameter] = [], body: String? = nil, answers: [Answer] = [],
        isDescribed: Bool = true
    ) {
        (self.path, self.verbs, self.summary, self.access) = (path, verbs, summary, access)
        (self.parameters, self.body, self.answers) = (parameters, body, answers)
        self.isDescribed = isDescribed
    }
}
