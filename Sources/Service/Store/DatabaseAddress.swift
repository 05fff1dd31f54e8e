/// Where an installation's state is stored: in a SQLite file, or on a PostgreSQL server.
public struct DatabaseAddress: Hashable, Sendable {
    /// The file's path. With a server no such file is needed, but other files of the installation
    /// are beside it.
    public let path: String
    /// A connection URI or string, as libpq reads it; nil: the file.
    public let server: String?

    /// The file with the rights that the gate reads, if the state is on a server.
    public var rightsPath: String { RightsFile.path(for: path) }

    public init(_ path: String, server: String? = nil) {
        self.path = path
        self.server = server
    }
}
