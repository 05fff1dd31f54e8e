extension Method {
    /// All methods, in the order of the reference.
    public static let all: [Method] = Area.all.flatMap(\.methods) + [health]

    /// Nil if there is no method with that name.
    public static func named(_ name: String) -> Method? { byName[name] }

    private static let byName: [String: Method] = {
        var methods: [String: Method] = [:]
        for method in all {
            precondition(methods[method.name] == nil, "two methods are called \(method)")
            methods[method.name] = method
        }
        return methods
    }()

    static let unknown = Problem(.unknownMethod, "This service has no method with that name.")
}
