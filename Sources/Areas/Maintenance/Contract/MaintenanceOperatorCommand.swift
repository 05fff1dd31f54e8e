public import Tracking

/// The operator's commands about maintenance.
public enum MaintenanceOperatorCommand: AreaOperatorCommand {
    case announce(from: Timestamp, to: Timestamp, MaintenanceText)
    case move(UUIDv7, from: Timestamp?, to: Timestamp?, MaintenanceText?)
    case cancel(UUIDv7)
    case list

    static let announcement = Form(
        Form("from", .time), Form("to", .time), Form("text", .maintenanceText)
    ) { MaintenanceOperatorCommand.announce(from: $0, to: $1, $2) }

    static let move = Form(
        Form.id("maintenance"), Form("from", .time).ifPresent, Form("to", .time).ifPresent,
        Form("text", .maintenanceText).ifPresent
    ) { MaintenanceOperatorCommand.move($0, from: $1, to: $2, $3) }
}

extension OperatorCommand {
    public static func announceMaintenance(
        from: Timestamp, to: Timestamp, _ text: MaintenanceText
    ) -> OperatorCommand {
        .init(
            "maintenance.announce", ["from": from.rfc3339, "to": to.rfc3339, "text": text.text])
    }

    /// Nil leaves a value unchanged.
    public static func moveMaintenance(
        _ id: UUIDv7, from: Timestamp?, to: Timestamp?, _ text: MaintenanceText?
    ) -> OperatorCommand {
        .init(
            "maintenance.move",
            [
                "maintenance": id.description, "from": from?.rfc3339, "to": to?.rfc3339,
                "text": text?.text,
            ])
    }

    public static func cancelMaintenance(_ id: UUIDv7) -> OperatorCommand {
        .init("maintenance.cancel", ["maintenance": id.description])
    }

    public static let listMaintenances = OperatorCommand("maintenance.list")
}
