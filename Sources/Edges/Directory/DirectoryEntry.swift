/// A person in the directory.
public struct DirectoryEntry: Hashable, Sendable {
    public let id: EntryID
    /// The name that they log in with, as the directory writes it.
    public let user: String
    public let firstName: String?
    public let lastName: String?
    public let mail: String?

    public init(
        id: EntryID, user: String, firstName: String? = nil, lastName: String? = nil,
        mail: String? = nil
    ) {
        (self.id, self.user, self.mail) = (id, user, mail)
        (self.firstName, self.lastName) = (firstName, lastName)
    }
}

/// The identity of an entry, whatever it is called: an attribute and its value, as in a filter, or
/// the entry's name.
public struct EntryID: Hashable, Sendable {
    /// `entryuuid=…` or `dn=…`.
    public let text: String

    /// Restores a stored identity.
    public init(stored text: String) { self.text = text }

    init(_ attribute: String, _ value: [UInt8]) {
        text = "\(attribute.lowercased())=\(DirectoryText.escaped(filter: value))"
    }

    init?(name: String) {
        guard let name = DirectoryText.normalized(name: name) else { return nil }
        text = "dn=\(name)"
    }

    /// The entry's name, if that is what it is recognised by.
    var name: String? { text.hasPrefix("dn=") ? String(text.dropFirst(3)) : nil }
    /// A filter that finds the entry; nil if it is recognised by its name.
    var filter: String? { name == nil ? "(\(text))" : nil }
}
