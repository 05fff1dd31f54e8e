import Contract

/// Topics of the family's group, as the bridge writes them.
public enum FamilyTopic {
    public static let root = "kith/groups/\(GroupKey.family)"
    public static let alerts = root + "/alerts"
    public static let alice = root + "/members/alice"
}
