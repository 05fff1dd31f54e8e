/// The results of requests about calls for help and alerts.
public enum EmergencyResult {
    /// - `isAlone`: whether no other member is in the caller's groups.
    /// - `number`: the emergency number, for a caller who is alone.
    /// - `refused`: the error in the request's position.
    public static let called = Payload<(isAlone: Bool, number: String?, refused: Problem?)>(
        .init("state", .choice(of: ["sos"])) { _ in "sos" },
        .flag("alone") { $0.isAlone },
        .init("number", .text) { $0.number },
        .init("fixRefused", .object(Problem.payload)) { $0.refused })

    public static let alerts = Payload.page("alerts", of: AlertMessage.payload)

    public static let acknowledged = Payload<AlertMessage>(
        .init("alert", .object(AlertMessage.payload)) { $0 })
}
