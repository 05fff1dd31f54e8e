/// Who may add somebody to a group without asking them.
public enum Addability: String, Sendable, CaseIterable {
    case nobody
    /// Those on the person's own list of friends.
    case friends
    /// Members of a group that the person is in, and friends.
    case anyoneInMyGroups = "anyone-in-my-groups"

    public static let usual = Addability.friends
}
