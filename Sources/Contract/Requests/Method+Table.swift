extension Method {
    /// All methods, in the order of the reference.
    public static let all: [Method] =
        groups + journeys + emergencies + alerts + friends + chats + accounts + devices + [health]
        + operation

    /// Nil if there is none with that name.
    public static func named(_ name: String) -> Method? { byName[name] }

    private static let byName: [String: Method] = {
        var methods: [String: Method] = [:]
        for method in all {
            precondition(methods[method.name] == nil, "two methods are called \(method)")
            methods[method.name] = method
        }
        return methods
    }()

    static let unknown = Problem(.unknownMethod, "This service has no method of that name.")

    /// Methods that exist only as the operator's commands, which `OperatorCommand` reads.
    private static let operation: [Method] = [
        Method("user.add", .changes, .operators),
        Method("user.remove", .changes, .operators),
        Method("user.token", .changes, .operators),
        Method("user.password", .changes, [.operators, .password]),
    ]
}
