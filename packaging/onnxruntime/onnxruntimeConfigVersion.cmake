# SPDX-License-Identifier: Apache-2.0
# Version of the fetched runtime. Its C API serves programs compiled for any older version.
set(PACKAGE_VERSION 1.32.0)
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
