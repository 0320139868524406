"""A Windows job: processes put into it die, with all they started, when the job is closed or its owner dies."""

from __future__ import annotations

import ctypes
import sys
from ctypes import wintypes

assert sys.platform == "win32"

_KILL_ON_CLOSE = 0x2000
_EXTENDED_LIMITS = 9
_SET_QUOTA_AND_TERMINATE = 0x0101


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("per_process_time", ctypes.c_int64),
        ("per_job_time", ctypes.c_int64),
        ("flags", wintypes.DWORD),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", wintypes.DWORD),
        ("affinity", ctypes.c_size_t),
        ("priority", wintypes.DWORD),
        ("scheduling", wintypes.DWORD),
    )


class _Limits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class Job:
    """Owns one process and what it starts."""

    def __init__(self, pid: int) -> None:
        self._kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        self._kernel.CreateJobObjectW.restype = wintypes.HANDLE
        self._kernel.OpenProcess.restype = wintypes.HANDLE
        self._handle: wintypes.HANDLE | None = wintypes.HANDLE(self._kernel.CreateJobObjectW(None, None))
        limits = _Limits()
        limits.basic.flags = _KILL_ON_CLOSE
        self._kernel.SetInformationJobObject(
            self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        process = wintypes.HANDLE(self._kernel.OpenProcess(_SET_QUOTA_AND_TERMINATE, False, pid))
        self._kernel.AssignProcessToJobObject(self._handle, process)
        self._kernel.CloseHandle(process)

    def close(self) -> None:
        """Kills what is left in it. The second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._kernel.CloseHandle(handle)
