extension Command {
    /// Whether it changes nothing: asked for twice, it is answered twice.
    public var isRead: Bool {
        switch self {
        case .listGroups, .members, .path, .listAlerts, .chatHistory, .account, .exportAccount,
            .listDevices:
            true
        case .friends(let command): command.isRead
        case .createGroup, .renameGroup, .addMember, .removeMember, .leaveGroup, .startSharing,
            .stopSharing, .startJourney, .extendJourney, .stopJourney, .triggerSOS, .stopSOS,
            .acknowledgeAlert, .sendChat, .updateAccount, .changePassword, .deleteAccount, .logOut,
            .revokeDevice:
            false
        }
    }
}

extension FriendCommand {
    /// See ``Command/isRead``.
    public var isRead: Bool {
        switch self {
        case .list, .nearby, .watchers: true
        case .add, .remove, .share, .unshare, .turnLocationOff, .block, .unblock: false
        }
    }
}
