internal import JSON

/// The operator's command to dispatch.
public enum DispatchOperatorCommand: AreaOperatorCommand {
    /// - `area`: its name; nil for all.
    case drill(area: String?)
}

extension OperatorCommand {
    /// - Parameter area: its name; nil for all.
    public static func drill(area: String?) -> OperatorCommand {
        .init("emergency.drill") { json in
            json.key("area")
            if let area { json.string(area) } else { json.null() }
        }
    }
}
