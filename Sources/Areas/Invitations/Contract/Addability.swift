/// Who may add somebody to a group without asking them.
public enum Addability: String, Sendable, CaseIterable {
    case nobody
    /// Those on the person's own list of friends.
    case friends
    /// Members of a group that the person is in, and friends.
    case anyoneInMyGroups = "anyone-in-my-groups"

    public static let usual = Addability.friends
}

extension Fields {
    mutating func addability(ifPresent field: String) -> Addability? {
        guard let text = string(ifPresent: field) else { return nil }
        if let addability = Addability(rawValue: text) { return addability }
        let all = Addability.allCases.map(\.rawValue).joined(separator: ", ")
        refuse(field, "must be one of \(all)")
        return nil
    }
}
