/// The users who may add a person to a group without asking them.
public enum Addability: String, Sendable, CaseIterable {
    case nobody
    /// The users on the person's own list of friends.
    case friends
    /// Members of the person's groups, and friends.
    case anyoneInMyGroups = "anyone-in-my-groups"

    public static let usual = Addability.friends
}
