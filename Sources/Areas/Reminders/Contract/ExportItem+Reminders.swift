public import Tracking

extension ExportItem {
    public static func reminder(_ reminder: Reminder, next: Timestamp?, toldAt: Timestamp?)
        -> ExportItem
    {
        ExportItem("reminder") { $0.reminder(reminder, next: next, toldAt: toldAt) }
    }
}
